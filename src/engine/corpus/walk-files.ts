/** Finds the files to index: those of the project, and a person's notes. */
import { isNote } from "../../logic/corpus/languages.ts";
import type { FileState, OnlyNotes, Walk } from "../../model/corpus/corpus.ts";
import type { World } from "../../ports/world.ts";
import { redactor } from "../redaction/redact.ts";

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
  const walk = withoutSecretNames({
    // A note is not indexed as a document as well.
    found: [...ours.found.filter((file) => isOurs(file) && !isNote(file.path)), ...ofNotes.found],
    skipped: [
      ...ours.skipped.filter(isOurs),
      ...ofNotes.skipped,
      ...likeNotes.map(({ path }) => ({ path, reason: "its folder is named like a drive" })),
    ],
    unread: [...ours.unread, ...ofNotes.unread],
  });
  const states = await project.fileStates();
  const known = states.filter(({ path }) => (isNote(path) ? isWithin({ path }) : only === undefined));
  const elsewhere = notes ? states.filter((state) => isNote(state.path) && !isWithin(state)) : [];
  return { ...walk, known: [...known, ...(await goneAmong(elsewhere, world))] };
}

/** Notes outside the notes folder may belong to another configuration, so they stay as long as their files exist. */
async function goneAmong(states: readonly FileState[], { files }: Pick<World, "files">): Promise<FileState[]> {
  const kinds = await Promise.all(states.map(({ path }) => files.kindOf(path)));
  return states.filter((_, index) => kinds[index] === "absent");
}

/** A file name is stored and embedded, and cannot be redacted, so a file with a secret in its name is skipped. */
function withoutSecretNames({ found, skipped, unread }: Walk): Walk {
  const { clean } = redactor();
  const isKept = ({ path }: { path: string }) => clean(path) === path;
  const secret = found
    .filter((file) => !isKept(file))
    .map(({ path }) => ({ path: clean(path), reason: "its name contains a secret" }));
  const cleaned = skipped.map(({ path, reason }) => ({ path: clean(path), reason }));
  return { found: found.filter(isKept), skipped: [...cleaned, ...secret], unread };
}
