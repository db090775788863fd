/** What there is to take in: the files of the project, and the notes that a person keeps beside it. */
import { isNote } from "../../logic/corpus/languages.ts";
import type { FileState, OnlyNotes, Walk } from "../../model/corpus/corpus.ts";
import type { World } from "../../ports/world.ts";
import { redactor } from "../redaction/redact.ts";

export interface WalkedFiles extends Walk {
  /** The same files as they were known. */
  known: FileState[];
}

const NOTHING: Walk = { found: [], skipped: [], unread: [] };

export async function walkFiles(
  { only }: { only?: OnlyNotes },
  world: Pick<World, "project" | "place" | "files" | "projectFiles" | "notes" | "settings">,
): Promise<WalkedFiles> {
  const { project, projectFiles, notes, settings } = world;
  const [ours, noted] = await Promise.all([
    only === "notes" ? NOTHING : projectFiles.walk(settings.index),
    notes ? notes.walk() : NOTHING,
  ]);
  const isWithin = ({ path }: { path: string }) => notes !== null && path.startsWith(`${notes.folder}/`);
  const isOurs = ({ path }: { path: string }) => !isWithin({ path: `${world.place.checkout}/${path}` });
  // Some systems allow names that read like a whole path. Whoever gives them must not write memories.
  const odd = ours.found.filter(({ path }) => isNote(path));
  const walk = withoutSecretNames({
    // What is a note is no document as well.
    found: [...ours.found.filter((file) => isOurs(file) && !isNote(file.path)), ...noted.found],
    skipped: [
      ...ours.skipped.filter(isOurs),
      ...noted.skipped,
      ...odd.map(({ path }) => ({ path, reason: "its folder is named like a drive" })),
    ],
    unread: [...ours.unread, ...noted.unread],
  });
  const states = await project.fileStates();
  const known = states.filter(({ path }) => (isNote(path) ? isWithin({ path }) : only === undefined));
  const elsewhere = notes ? states.filter((state) => isNote(state.path) && !isWithin(state)) : [];
  return { ...walk, known: [...known, ...(await goneAmong(elsewhere, world))] };
}

/** Notes of a folder that is not named here may be named elsewhere: they stay while their files do. */
async function goneAmong(states: readonly FileState[], { files }: Pick<World, "files">): Promise<FileState[]> {
  const kinds = await Promise.all(states.map(({ path }) => files.kindOf(path)));
  return states.filter((_, index) => kinds[index] === "absent");
}

/** A name is kept, shown and embedded with its file, and cannot be changed: such a file is left out. */
function withoutSecretNames({ found, skipped, unread }: Walk): Walk {
  const { clean } = redactor();
  const isKept = ({ path }: { path: string }) => clean(path) === path;
  const odd = found
    .filter((file) => !isKept(file))
    .map(({ path }) => ({ path: clean(path), reason: "its name contains a secret" }));
  const told = skipped.map(({ path, reason }) => ({ path: clean(path), reason }));
  return { found: found.filter(isKept), skipped: [...told, ...odd], unread };
}
