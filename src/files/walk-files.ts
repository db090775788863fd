/** Finds the files to index: those of the project, and a person's notes. */
import { join } from "node:path";
import { redactor } from "../redaction/redact.ts";
import type { World } from "../world.ts";
import type { FileChange, FileState, LastLook, OnlyNotes, Walk } from "./corpus.ts";
import { type CorpusRules, rulesFor } from "./document-rules.ts";
import { isNote } from "./languages.ts";
import { changesSince } from "./plan-index.ts";

export interface WalkedFiles extends Walk {
  /** The former states of these files. */
  known: FileState[];
}

const NOTHING: Walk = { found: [], skipped: [], unread: [] };

export async function walkFiles(
  { only }: { only?: OnlyNotes },
  world: Pick<World, "project" | "place" | "files" | "projectFiles" | "notes" | "settings">,
): Promise<WalkedFiles> {
  const { project, projectFiles, notes, settings } = world;
  const [ours, ofNotes] = await Promise.all([
    only === "notes" ? NOTHING : projectFiles.walk(settings.index),
    notes ? notes.walk() : NOTHING,
  ]);
  const isWithin = ({ path }: { path: string }) => notes !== null && path.startsWith(`${notes.folder}/`);
  const isOurs = ({ path }: { path: string }) => !isWithin({ path: `${world.place.checkout}/${path}` });
  // Some systems allow file names that look like absolute paths; such a file must not become a memory.
  const likeNotes = ours.found.filter(({ path }) => isNote(path));
  const states = await project.fileStates();
  const rules = rulesFor(ours.found, world);
  // Searching 10,000 names for secrets takes a quarter of a second. These rules have passed most of them before.
  const passed = new Set(
    states.filter(({ path, rules: by }) => !isNote(path) && by === rules.fingerprintOf(path)).map(({ path }) => path),
  );
  const found = {
    // A note is not indexed as a document as well.
    found: [...ours.found.filter((file) => isOurs(file) && !isNote(file.path)), ...ofNotes.found],
    skipped: [
      ...ours.skipped.filter(isOurs),
      ...ofNotes.skipped,
      ...likeNotes.map(({ path }) => ({ path, reason: "its folder is named like a drive" })),
    ],
    unread: [...ours.unread, ...ofNotes.unread],
  };
  const walk = withoutSecretNames(found, (path) => passed.has(path));
  const known = states.filter(({ path }) => (isNote(path) ? isWithin({ path }) : only === undefined));
  const elsewhere = notes ? states.filter((state) => isNote(state.path) && !isWithin(state)) : [];
  return { ...walk, known: [...known, ...(await goneAmong(elsewhere, world))] };
}

/** More files than this that are as long as before are not compared by what is in them. */
const COMPARED_MOST = 500;

/**
 * How the project's own files differ from the index of this checkout; null without a complete one. By their sizes and
 * times; where only the time is another, as after going to another branch and back, by what is in them.
 */
export async function changesOnDisk(
  look: LastLook | null,
  { found, unread, known }: WalkedFiles,
  world: Pick<World, "place" | "files" | "projectFiles" | "clock" | "settings">,
  rules: CorpusRules = rulesFor(found, world),
): Promise<FileChange[] | null> {
  const { place, files, projectFiles, clock, settings } = world;
  if (look === null || look.checkout !== place.checkout || look.at === 0) return null;
  const isOwn = ({ path }: { path: string }) => !isNote(path);
  const walk = { found: found.filter(isOwn), unread };
  const changes = changesSince(look.at, walk, known.filter(isOwn), clock.now());
  // A file that is left out now, by a rule or a limit, is not deleted.
  const isLeftOut = async ({ path, change }: FileChange) =>
    change === "deleted" ? (await files.kindOf(join(place.checkout, path))) !== "absent" : rules.classOf(path).skip;
  const leftOut = await Promise.all(changes.map(isLeftOut));
  const bytes = new Map(found.map((file) => [file.path, file.bytes]));
  const hashes = new Map(
    known.flatMap((state) => (state.bytes === bytes.get(state.path) ? [[state.path, state.hash]] : [])),
  );
  const isTouched = async ({ path }: FileChange) => {
    const read = await projectFiles.read(path, settings.index.fileBytes);
    return "hash" in read && read.hash === hashes.get(path);
  };
  const differing: FileChange[] = [];
  let compared = 0;
  for (const one of changes.filter((_, index) => !leftOut[index])) {
    const mayBeTouched = one.change === "changed" && hashes.has(one.path) && (compared += 1) <= COMPARED_MOST;
    if (!mayBeTouched || !(await isTouched(one))) differing.push(one);
  }
  return differing;
}

/** Notes outside the notes folder may belong to another configuration, so they stay as long as their files exist. */
async function goneAmong(states: readonly FileState[], { files }: Pick<World, "files">): Promise<FileState[]> {
  const kinds = await Promise.all(states.map(({ path }) => files.kindOf(path)));
  return states.filter((_, index) => kinds[index] === "absent");
}

/** A file name is stored and embedded, and cannot be redacted, so a file with a secret in its name is skipped. */
function withoutSecretNames({ found, skipped, unread }: Walk, isPassed: (path: string) => boolean): Walk {
  const { clean } = redactor();
  const isKept = ({ path }: { path: string }) => isPassed(path) || clean(path) === path;
  const secret = found
    .filter((file) => !isKept(file))
    .map(({ path }) => ({ path: clean(path), reason: "its name contains a secret" }));
  const cleaned = skipped.map(({ path, reason }) => ({ path: clean(path), reason }));
  return { found: found.filter(isKept), skipped: [...cleaned, ...secret], unread };
}
