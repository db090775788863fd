/** What there is to take in: the files of the project, and the notes that a person keeps beside it. */
import { isNote } from "../logic/languages.ts";
import type { FileState, Walk } from "../model/corpus.ts";
import type { World } from "../ports.ts";
import { redactor } from "./redact.ts";

export interface Sight extends Walk {
  /** The same files as they were known. */
  known: FileState[];
}

const NOTHING: Walk = { found: [], skipped: [], unread: [] };

export async function lookAround({ only }: { only?: "notes" | undefined }, world: World): Promise<Sight> {
  const { project, projectFiles, notes, settings } = world;
  const [ours, noted] = await Promise.all([
    only === "notes" ? NOTHING : projectFiles.walk(settings.index),
    notes ? notes.walk() : NOTHING,
  ]);
  const isWithin = ({ path }: { path: string }) => notes !== null && path.startsWith(`${notes.folder}/`);
  const isOurs = ({ path }: { path: string }) => !isWithin({ path: `${world.place.checkout}/${path}` });
  const walk = withoutSecretNames({
    // What is a note is no document as well.
    found: [...ours.found.filter(isOurs), ...noted.found],
    skipped: [...ours.skipped.filter(isOurs), ...noted.skipped],
    unread: [...ours.unread, ...noted.unread],
  });
  const states = await project.fileStates();
  // Notes of a folder that is not named here may be named elsewhere: they stay as they are.
  const known = states.filter((state) => (isNote(state.path) ? isWithin(state) : only === undefined));
  return { ...walk, known };
}

/** A name is kept, shown and embedded with its file, and cannot be changed: such a file is left out. */
function withoutSecretNames({ found, skipped, unread }: Walk): Walk {
  const { clean } = redactor();
  const isKept = ({ path }: { path: string }) => clean(path) === path;
  const odd = found
    .filter((file) => !isKept(file))
    .map(({ path }) => ({ path: clean(path), reason: "a secret in its name" }));
  const told = skipped.map(({ path, reason }) => ({ path: clean(path), reason }));
  return { found: found.filter(isKept), skipped: [...told, ...odd], unread };
}
