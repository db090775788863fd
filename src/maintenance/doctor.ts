/**
 * Checks everything that can go wrong, and repairs what can be repaired.
 *
 * Works even if nothing else does: it opens no store for writing and does not assume that any
 * file is intact. It judges only what the patient shows, so equal input gives equal findings.
 */
import type { HostId } from "../agents/connection.ts";
import type { HostFindings } from "../agents/look-at-agents.ts";
import { agoText } from "../briefing/orientation.ts";
import { Failure, toFailure } from "../errors.ts";
import { locateSpace, lookalikeOf, type Whereabouts } from "../memory/open-space.ts";
import type { Space } from "../memory/space.ts";
import { counted } from "../text/short-text.ts";
import type { Backup, StoreName } from "./backup.ts";
import {
  type Committable,
  type EncryptionLook,
  type HomeState,
  isLost,
  judgeActivity,
  judgeDisk,
  judgeEncryption,
  judgeHome,
  judgeLeases,
  judgeLookalike,
  judgeRoom,
  judgeStore,
  judgeTeam,
  nameOf,
  type Part,
  type Room,
  type TeamLook,
} from "./doctor-rules.ts";
import {
  type Activity,
  type Condition,
  type Finding,
  megabytes,
  MOVE_AWAY,
  note,
  ok,
  problem,
  RECOVER,
  recovered,
  type Recovery,
  type Remedy,
  some,
  type WaitingReports,
} from "./finding.ts";
import { FAR_AHEAD_MS } from "./lease.ts";

/** Everything the doctor may look at or change. */
export interface Patient {
  program(): string;
  /** Throws if a part of the program is missing. */
  installed(): void;
  /** Throws if the settings are invalid; says which of them no longer count. */
  settings(): readonly string[];
  /** What there is to say about the hosts on this machine. */
  hosts(): HostFindings;
  readonly folder: string;
  state(): HomeState;
  exposed(): string[];
  /** The repository that would commit memories, if the data folder is in one. */
  committable(): Promise<Committable | null>;
  /** Paths of our folders that are not folders. */
  misplaced(): string[];
  /** Paths of our folders that are links to others. */
  linked(): string[];
  /** The path of the store or of a file beside it, if that is not a regular file. */
  special(path: string): string | null;
  leftovers(): string[];
  /** Existing stores, and registered ones that are missing. */
  stores(spaces: readonly Space[]): { name: string; path: string; kind: StoreName; isLost: boolean }[];
  examine(path: string): Promise<Condition>;
  /** The registry, or null if it cannot be read. */
  spaces(): Promise<Space[] | null>;
  isGone(path: string): boolean;
  /** Whether a store was emptied after it was created. */
  isEmptied(path: string, registeredAt: number): boolean;
  backups(): Promise<{ backup: Backup; isGood: boolean }[]>;
  /** Folders among the backups that are not backups: unfinished ones, or files kept by a recovery. */
  invalidBackups(): Promise<string[]>;
  /** The size of the built model; null if there is none. */
  model(): Promise<number | null | "damaged">;
  /** Embeds a sentence; what it took, or null if no model is wanted. */
  embed(): Promise<{ ms: number } | null>;
  /** Leases of the stores in use here that end after a moment. */
  leases(spaces: readonly Space[], after: number): Promise<{ name: string; until: number }[]>;
  /** Of the project being examined; null if it has no store that can be read. */
  activity(spaces: readonly Space[]): Promise<Activity | null>;
  waitingReports(): Promise<WaitingReports>;
  /** The last fault of a hook, with its time; null if there is none. */
  hookFault(): string | null;
  /** Bytes of each part of the data folder, largest first. */
  disk(): Part[];
  /** What its disk still takes; null if the system does not tell. */
  room(): Room | null;
  now(): number;
  /** A moment by the person's clock. */
  told(at: number): string;
  /** Whether a running process offers its model to others. */
  isModelOffered(): boolean;
  close(paths: readonly string[]): void;
  clear(paths: readonly string[]): void;
  /** Refuses while a command is encrypting or decrypting. */
  clearStores(paths: readonly string[]): Promise<void>;
  encryption(): EncryptionLook;
  /** The newest backup from which a store can be restored. */
  soundBackup(path: string, kind: StoreName): Promise<{ id: string; at: number } | null>;
  /** How many entries the journal of a store got after a moment; null if it cannot be read. */
  writes(path: string, after: number): Promise<number | null>;
  recover(path: string, kind: StoreName, backup: string | null): Promise<Recovery>;
  /** The team's server, if the project being examined is shared. */
  team(): Promise<TeamLook | null>;
  /** The project being examined. */
  here(): Whereabouts;
  /** Registers a store as this project's. */
  adopt(path: string): Promise<void>;
  /** A person's word on whether the project of this id, which is gone, is the one being examined. */
  settle(id: string, isSame: boolean): Promise<void>;
}

export async function examine(patient: Patient): Promise<Finding[]> {
  const { findings: ofHosts, connected } = hosts(patient);
  const findings = [program(patient), ...settings(patient), ...ofHosts];
  const areSettingsValid = findings.every(({ check, state }) => check !== "settings" || state !== "problem");
  const state = patient.state();
  if (state === "absent") {
    const first = note("home", `${patient.folder} does not exist yet.`, "The first memory creates it.");
    return [...findings, ...judgeRoom([], patient.room()), first];
  }
  const copies = await patient.backups();
  // Checked first, because reading a store may create a log beside it.
  const ofHome = judgeHome({
    folder: patient.folder,
    state,
    exposed: patient.exposed(),
    misplaced: patient.misplaced(),
    linked: patient.linked(),
    committable: await patient.committable(),
  });
  const ofStores = await stores(copies, patient);
  const areSound = ofStores.every((finding) => finding.state !== "problem");
  return [
    ...findings,
    ...ofHome,
    ...judgeEncryption(patient.encryption()),
    ...ofStores,
    ...judgeTeam(await patient.team()),
    ...(await backups(copies, { areSound }, patient)),
    ...(await model(areSettingsValid, patient)),
    ...(await activity(patient, connected)),
    ...judgeDisk(patient.disk(), patient.room()),
    ...leftovers(patient),
  ];
}

/** Applies the remedy of a finding; returns what was done. */
export async function treat(remedy: Remedy, patient: Patient): Promise<string> {
  switch (remedy.kind) {
    case "recover":
      return recovered(remedy, await patient.recover(remedy.path, remedy.store, remedy.backup?.id ?? null));
    case "adopt":
      await patient.adopt(remedy.path);
      return `${remedy.path} is now the store of ${remedy.root}.`;
    case "take over":
      await patient.settle(remedy.id, true);
      return `${remedy.root} has the memory of ${remedy.from} now. Restart servers that are running.`;
    case "tell apart":
      await patient.settle(remedy.id, false);
      return `${remedy.from} counts as another project than ${remedy.root}.`;
    case "close":
      patient.close(remedy.paths);
      return `Made private: ${some(remedy.paths)}.`;
    case "clear stores":
      await patient.clearStores(remedy.paths);
      return `Removed: ${some(remedy.paths)}.`;
    case "clear":
      patient.clear(remedy.paths);
      return `Removed: ${some(remedy.paths)}.`;
  }
}

function program(patient: Patient): Finding {
  try {
    patient.installed();
    return ok("program", patient.program());
  } catch (thrown) {
    const { message, hint } = toFailure(thrown);
    return problem("program", message, hint);
  }
}

function hosts(patient: Patient): HostFindings {
  try {
    return patient.hosts();
  } catch (thrown) {
    const { message, hint } = toFailure(thrown);
    return { findings: [note("hosts", message, hint)], connected: [] };
  }
}

function settings(patient: Patient): Finding[] {
  try {
    const gone = patient.settings();
    return [ok("settings", "The settings are valid."), ...gone.map((notice) => note("settings", `${notice}.`, null))];
  } catch (thrown) {
    if (thrown instanceof Failure) return [problem("settings", thrown.message, thrown.hint)];
    throw thrown;
  }
}

type StoreFile = ReturnType<Patient["stores"]>[number];

type Copies = Awaited<ReturnType<Patient["backups"]>>;

async function stores(copies: Copies, patient: Patient): Promise<Finding[]> {
  const spaces = await patient.spaces();
  const isBackedUp = ({ name }: StoreFile) => copies.some(({ backup }) => name === `spaces/${backup.spaceId}.db`);
  // A process that died right after registering a project leaves neither a file nor a backup.
  const files = patient
    .stores(spaces ?? [])
    .filter((file) => file.kind === "global" || !file.isLost || isBackedUp(file));
  const spaceOf = new Map(files.map((file) => [file, spaces?.find(({ id }) => file.path.endsWith(`${id}.db`))]));
  const findings: Finding[] = [];
  const items = new Map<StoreFile, number>();
  for (const file of files) {
    const special = patient.special(file.path);
    if (special) {
      findings.push(problem("store", `${special} is not a regular file.`, MOVE_AWAY));
      continue;
    }
    const condition = file.isLost ? null : await patient.examine(file.path);
    const space = spaceOf.get(file);
    const isEmptied = space !== undefined && patient.isEmptied(file.path, space.createdAt);
    const backup = isLost(condition) ? await backupFor(file, patient) : null;
    findings.push(judgeStore({ file, condition, space, isBackedUp: isBackedUp(file), isEmptied, backup }));
    if (condition?.state === "sound") items.set(file, condition.items);
  }
  if (spaces === null) return findings;
  const gone = files.filter((file) => patient.isGone(spaceOf.get(file)?.root ?? patient.folder));
  const unregistered = files.filter((file) => file.kind === "project" && !spaceOf.get(file));
  const here = patient.here();
  const named = (list: readonly StoreFile[]) => some(list.map((file) => nameOf(file, spaceOf.get(file))));
  return [
    ...findings,
    ok("projects", `Known projects: ${spaces.length}.`),
    ...(gone.length > 0 ? [note("projects", `Folder not found: ${named(gone)}.`, KEPT)] : []),
    ...(unregistered.length > 0 ? [unknown({ unregistered, items, spaces }, patient)] : []),
    ...judgeLookalike(here, lookalikeOf(here, spaces, patient.isGone)),
  ];
}

async function backupFor({ path, kind, isLost }: StoreFile, patient: Patient) {
  const backup = await patient.soundBackup(path, kind);
  if (backup === null) return null;
  const since = isLost ? null : await patient.writes(path, backup.at);
  return { id: backup.id, made: patient.told(backup.at), since };
}

/** If one filled store has no project and this project has no store, they may belong together; a person decides. */
function unknown(
  {
    unregistered,
    items,
    spaces,
  }: { unregistered: StoreFile[]; items: Map<StoreFile, number>; spaces: readonly Space[] },
  patient: Patient,
): Finding {
  const held = (file: StoreFile) => (items.has(file) ? ` (${counted(items.get(file)!, "item")})` : "");
  const message = `Stores of no known project: ${some(unregistered.map((file) => file.name + held(file)))}.`;
  const here = patient.here();
  const isNew = locateSpace(here, spaces).how === "new";
  const [candidate, ...others] = unregistered.filter((file) => (items.get(file) ?? 0) > 0);
  if (!candidate || others.length > 0 || !isNew) return note("projects", message, "Nothing is deleted automatically.");
  const remedy: Remedy = { kind: "adopt", path: candidate.path, root: here.root };
  const next = `If ${candidate.name} is the memory of ${here.root}, confirm it with ${RECOVER} in a terminal.`;
  return note("projects", message, next, remedy);
}

const KEPT = "Nothing is deleted automatically; remove a file if you no longer need it.";

async function backups(all: Copies, { areSound }: { areSound: boolean }, patient: Patient): Promise<Finding[]> {
  const bad = all.filter(({ isGood }) => !isGood).map(({ backup }) => backup.id);
  const latest = all.find(({ isGood }) => isGood)?.backup;
  const invalid = await patient.invalidBackups();
  const none = all.length === 0 ? "There is no backup yet." : `Backups: ${all.length}, none of them valid.`;
  const found = latest
    ? ok(
        "backups",
        `Backups: ${all.length}; the latest valid one is ${latest.id}, made ${agoText(patient.now() - latest.at)}.`,
      )
    : note("backups", none, "`stele backup` makes one.");
  // For a damaged store, an altered copy may be all that is left.
  const next = areSound ? "Remove them and make a new one: `stele backup`." : "Keep them until all stores are intact.";
  return [
    found,
    ...(bad.length > 0 ? [problem("backups", `Altered since they were made: ${some(bad)}.`, next)] : []),
    ...(invalid.length > 0 ? [note("backups", `In the backup folder, but not backups: ${some(invalid)}.`, KEPT)] : []),
  ];
}

async function model(areSettingsValid: boolean, patient: Patient): Promise<Finding[]> {
  const before = await patient.model();
  const damaged = note("model", "The built model is damaged.", "Nothing to do: the next use builds it.");
  // Which model is wanted is not known then.
  if (!areSettingsValid) return before === "damaged" ? [damaged] : [];
  // Asked before, because a command that finds no offer loads a model of its own.
  const isOffered = patient.isModelOffered();
  try {
    const embedded = await patient.embed();
    if (embedded === null) return [ok("model", "The settings want no local model: recall searches by words.")];
    const built = await patient.model();
    const size = typeof built === "number" ? `, ${megabytes(built)}` : "";
    const offered = isOffered ? "; a running process offers it to the others" : "";
    const message = `The model embeds: one sentence, with loading it, took ${embedded.ms} ms${size}${offered}.`;
    return [...(before === "damaged" ? [damaged] : []), ok("model", message)];
  } catch (thrown) {
    const { message, hint } = toFailure(thrown);
    return [problem("model", `Nothing can be embedded, so recall searches by words alone: ${message}`, hint)];
  }
}

/** Whether the index and the hooks of this project are at work, and what a wrong clock left behind. */
async function activity(patient: Patient, connected: readonly HostId[]): Promise<Finding[]> {
  const [spaces, now] = [(await patient.spaces()) ?? [], patient.now()];
  const ahead = await patient.leases(spaces, now + FAR_AHEAD_MS);
  const leases = ahead.map(({ name, until }) => ({ name, until: patient.told(until) }));
  const found = await patient.activity(spaces);
  const around = { fault: patient.hookFault(), connected, waiting: await patient.waitingReports() };
  return [...judgeActivity(found, around, now), ...judgeLeases(leases)];
}

function leftovers(patient: Patient): Finding[] {
  const paths = patient.leftovers();
  if (paths.length === 0) return [ok("leftovers", "No leftovers.")];
  const message = `Left behind by dead processes: ${some(paths)}.`;
  return [note("leftovers", message, `${RECOVER} removes them.`, { kind: "clear", paths })];
}
