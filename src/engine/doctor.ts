/**
 * The doctor: looks at everything that can go wrong, and mends what can be mended.
 *
 * Works where nothing else does: it opens no store for writing and takes no file for whole. It
 * judges only what it was shown, so the same findings always mean the same.
 */
import { Failure } from "../errors.ts";
import { type Whereabouts, locateSpace } from "../logic/locate-space.ts";
import type { Backup, StoreName } from "../model/backup.ts";
import type { Condition, Finding, Recovery, Remedy } from "../model/finding.ts";
import type { Space } from "../model/space.ts";

/** What the doctor is shown. */
export interface Patient {
  program(): string;
  /** Throws what is wrong with the settings. */
  settings(): void;
  readonly folder: string;
  state(): "absent" | "read-only" | "writable";
  exposed(): string[];
  leftovers(): string[];
  /** Stores that are there, and the one that should be. */
  stores(): { name: string; path: string; kind: StoreName; isLost: boolean }[];
  examine(path: string): Promise<Condition>;
  /** The registry, or null where it cannot be read. */
  spaces(): Promise<Space[] | null>;
  isGone(path: string): boolean;
  backups(): Promise<{ backup: Backup; isGood: boolean }[]>;
  /** Folders among the backups that are none: unfinished, or kept by a recovery. */
  strangeBackups(): Promise<string[]>;
  /** The size of the built model, null where there is none, or that it is damaged. */
  model(): Promise<number | null | "damaged">;
  close(paths: readonly string[]): void;
  clear(paths: readonly string[]): void;
  recover(path: string, kind: StoreName): Promise<Recovery>;
  /** The project that is looked at. */
  here(): Whereabouts;
  /** Registers a store as this project's. */
  adopt(path: string): Promise<void>;
}

const RECOVER = "`stele doctor --recover`";

export async function examine(patient: Patient): Promise<Finding[]> {
  const findings = [ok("program", patient.program()), settings(patient)];
  const state = patient.state();
  if (state === "absent") {
    return [...findings, note("home", `${patient.folder} is not there yet.`, "The first memory makes it.")];
  }
  const copies = await patient.backups();
  return [
    ...findings,
    ...home(patient, state),
    ...(await stores(copies, patient)),
    ...(await backups(copies, patient)),
    await model(patient),
    ...leftovers(patient),
  ];
}

/** Carries out what a finding proposes; answers what was done. */
export async function treat(remedy: Remedy, patient: Patient): Promise<string> {
  switch (remedy.kind) {
    case "recover":
      return recovered(remedy.path, await patient.recover(remedy.path, remedy.store));
    case "adopt":
      await patient.adopt(remedy.path);
      return `${remedy.path} is the store of ${remedy.root} now.`;
    case "close":
      patient.close(remedy.paths);
      return `Closed to others: ${some(remedy.paths)}.`;
    case "clear":
      patient.clear(remedy.paths);
      return `Removed: ${some(remedy.paths)}.`;
  }
}

function recovered(path: string, { kept, backup, fromBackup, salvaged, unreadable }: Recovery): string {
  const source = backup ? `${fromBackup} items from backup ${backup}` : "no backup";
  const lost = unreadable === 0 ? "none is known to be missing" : `${unreadable} could not be read`;
  const where = kept ? ` The damaged file is kept in ${kept}.` : "";
  return `Recovered ${path}: ${source}, ${salvaged} items from the damaged file; ${lost}.${where}`;
}

type Check = Finding["check"];

const ok = (check: Check, message: string): Finding => ({ check, state: "ok", message, next: null, remedy: null });
const note = (check: Check, message: string, next: string | null, remedy: Remedy | null = null): Finding => ({
  ...{ check, state: "note", message, next, remedy },
});
const problem = (check: Check, message: string, next: string, remedy: Remedy | null = null): Finding => ({
  ...{ check, state: "problem", message, next, remedy },
});

function settings(patient: Patient): Finding {
  try {
    patient.settings();
    return ok("settings", "The settings can be read.");
  } catch (thrown) {
    if (thrown instanceof Failure) return problem("settings", thrown.message, thrown.hint);
    throw thrown;
  }
}

function home(patient: Patient, state: "read-only" | "writable"): Finding[] {
  const exposed = patient.exposed();
  const findings = [ok("home", `${patient.folder} is there.`)];
  if (state === "read-only") {
    findings.push(note("home", "It cannot be written: what is stored can be read only.", "Check its permissions."));
  }
  if (exposed.length === 0) return findings;
  const message = `${exposed.length} of its files and folders can be read by others: ${some(exposed)}.`;
  return [...findings, problem("home", message, `${RECOVER} closes them.`, { kind: "close", paths: exposed })];
}

type StoreFile = ReturnType<Patient["stores"]>[number];

type Copies = Awaited<ReturnType<Patient["backups"]>>;

async function stores(copies: Copies, patient: Patient): Promise<Finding[]> {
  const files = patient.stores();
  const spaces = await patient.spaces();
  const spaceOf = new Map(files.map((file) => [file, spaces?.find(({ id }) => file.path.endsWith(`${id}.db`))]));
  const findings: Finding[] = [];
  const filled: StoreFile[] = [];
  for (const file of files) {
    const condition = file.isLost ? null : await patient.examine(file.path);
    findings.push(judgeStore({ file, condition, space: spaceOf.get(file), copies }));
    if (condition?.state === "sound" && condition.items > 0) filled.push(file);
  }
  if (spaces === null) return findings;
  const gone = files.filter((file) => patient.isGone(spaceOf.get(file)?.root ?? patient.folder));
  const strangers = files.filter((file) => file.kind === "project" && !spaceOf.get(file));
  const named = (list: readonly StoreFile[]) => some(list.map((file) => nameOf(file, spaceOf.get(file))));
  return [
    ...findings,
    ok("projects", `Projects known: ${spaces.length}.`),
    ...(gone.length > 0 ? [note("projects", `No longer where they were: ${named(gone)}.`, KEPT)] : []),
    ...(strangers.length > 0 ? [unknown(named(strangers), { strangers, filled, spaces }, patient)] : []),
  ];
}

/** Where one store with something in it has no project and this project has none, they may belong together; a person knows. */
function unknown(
  names: string,
  { strangers, filled, spaces }: { strangers: StoreFile[]; filled: StoreFile[]; spaces: readonly Space[] },
  patient: Patient,
): Finding {
  const message = `Of no known project: ${names}.`;
  const here = patient.here();
  const isNew = locateSpace(here, spaces, patient.isGone).how === "new";
  const [candidate, ...others] = strangers.filter((file) => filled.includes(file));
  if (!candidate || others.length > 0 || !isNew) return note("projects", message, KEPT);
  const remedy: Remedy = { kind: "adopt", path: candidate.path, root: here.root };
  const next = `If ${candidate.name} is the memory of ${here.root}, ${RECOVER} gives it back.`;
  return note("projects", message, next, remedy);
}

const nameOf = ({ name }: StoreFile, space: Space | undefined) => (space ? `${name} (${space.root})` : name);

interface Look {
  file: StoreFile;
  /** Null where the file is not there. */
  condition: Condition | null;
  space: Space | undefined;
  copies: Copies;
}

function judgeStore({ file, condition, space, copies }: Look): Finding {
  const { path, kind } = file;
  const name = nameOf(file, space);
  const remedy: Remedy = { kind: "recover", path, store: kind };
  const next = `${RECOVER} makes it anew from the latest backup and from what is still readable.`;
  if (!condition) return problem("store", `${name} is missing, and with it the names of all projects.`, next, remedy);
  switch (condition.state) {
    case "sound":
      // A process that died early leaves an empty file, but not one that was backed up.
      if (condition.schema === 0 && copies.some(({ backup }) => path.endsWith(`${backup.spaceId}.db`)))
        return problem("store", `${name} is empty, but there are backups of it.`, next, remedy);
      return ok("store", `${name} is whole: ${condition.items} items, ${megabytes(condition.bytes)}.`);
    case "damaged":
      return problem("store", `${name} is damaged: ${some(condition.problems)}.`, next, remedy);
    case "newer":
      return problem("store", `${name} has schema ${condition.schema}, of a newer program.`, "Update Stele.");
    case "unreadable":
      return problem("store", `${name} cannot be read: ${condition.reason}`, "Check the disk and the permissions.");
  }
}

const KEPT = "Nothing is deleted by itself; remove a file if you no longer need it.";

async function backups(all: Copies, patient: Patient): Promise<Finding[]> {
  const bad = all.filter(({ isGood }) => !isGood).map(({ backup }) => backup.id);
  const latest = all.find(({ isGood }) => isGood)?.backup;
  const strange = await patient.strangeBackups();
  const found = latest
    ? ok("backups", `Backups: ${all.length}; the latest good one is ${latest.id}.`)
    : note("backups", "There is no backup yet.", "`stele backup` takes one.");
  return [
    found,
    ...(bad.length > 0
      ? [problem("backups", `Not what was backed up: ${some(bad)}.`, "Remove them and take a new one: `stele backup`.")]
      : []),
    ...(strange.length > 0 ? [note("backups", `Kept, but no backups: ${some(strange)}.`, KEPT)] : []),
  ];
}

async function model(patient: Patient): Promise<Finding> {
  const bytes = await patient.model();
  if (bytes === null) return ok("model", "The model is not built yet; the first use does it.");
  if (bytes === "damaged")
    return note("model", "The built model is damaged.", "Nothing to do: the next use builds it.");
  return ok("model", `The model is built, ${megabytes(bytes)}.`);
}

function leftovers(patient: Patient): Finding[] {
  const paths = patient.leftovers();
  if (paths.length === 0) return [ok("leftovers", "Nothing was left behind.")];
  const message = `Left behind by processes that died: ${some(paths)}.`;
  return [note("leftovers", message, `${RECOVER} removes them.`, { kind: "clear", paths })];
}

const SHOWN = 3;

function some(texts: readonly string[]): string {
  const more = texts.length - SHOWN;
  return [...texts.slice(0, SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;
