/** Judges the file of a store by its condition: what is wrong with it, and what to do. */
import type { HostId } from "../agents/connection.ts";
import { agoText } from "../briefing/orientation.ts";
import type { EncryptionRecord } from "../encryption/record.ts";
import { handleOf } from "../memory/handles.ts";
import type { Space } from "../memory/space.ts";
import { howToInherit, nameOfSchema, roleOf, type TeamCondition } from "../team/team.ts";
import { counted } from "../text/short-text.ts";
import { DAY_MS } from "../time/calendar.ts";
import type { StoreName } from "./backup.ts";
import {
  type Activity,
  backupNamed,
  BRING_OVER,
  type Circle,
  type Condition,
  type Finding,
  megabytes,
  MOVE_AWAY,
  note,
  ok,
  problem,
  RECOVER,
  type Remedy,
  some,
  type WaitingReports,
} from "./finding.ts";

export const nameOf = ({ name }: Pick<Look["file"], "name">, space: Space | undefined): string =>
  space ? `${name} (${space.root})` : name;

/** What the doctor sees of a store. */
interface Look {
  file: { name: string; path: string; kind: StoreName };
  /** Null if the file is missing. */
  condition: Condition | null;
  space: Space | undefined;
  isBackedUp: boolean;
  /** Whether the file was emptied after it was created. */
  isEmptied: boolean;
  /** The newest sound one, and how many entries the store's journal got since, as far as it can be read. */
  backup: { id: string; made: string; since: number | null } | null;
}

export function judgeStore({ file, condition, space, isBackedUp, isEmptied, backup }: Look): Finding {
  const { path, kind } = file;
  const name = nameOf(file, space);
  const remedy: Remedy = { kind: "recover", path, store: kind, backup: backup && { id: backup.id, made: backup.made } };
  const next = backup ? restoring(backup) : `${RECOVER} begins an empty one: there is no sound backup of it.`;
  if (!condition) {
    const what = kind === "global" ? "and it held the list of all projects" : "but backups of it exist";
    return problem("store", `${name} is missing, ${what}.`, next, remedy);
  }
  switch (condition.state) {
    case "sound":
      // A process that died early leaves an empty file, but that would not have been backed up.
      if (condition.schema === 0 && isBackedUp)
        return problem("store", `${name} is empty, but backups of it exist.`, next, remedy);
      if (condition.schema === 0 && isEmptied)
        return problem("store", `${name} is empty, but it was not when it was created.`, next, remedy);
      if (condition.circle) return circular(name, condition.circle);
      return ok("store", `${name} is intact: ${counted(condition.items, "item")}, ${megabytes(condition.bytes)}.`);
    case "damaged":
      return problem(
        "store",
        `${name} is damaged: ${some(condition.problems)}.`,
        backup ? next : NO_BACKUP,
        backup ? remedy : null,
      );
    case "newer":
      return problem(
        "store",
        `${name} has schema ${condition.schema}, which a newer version of Stele wrote.`,
        "Update Stele.",
      );
    case "unreleased":
      return problem(
        "store",
        `${name} was written by a development version of Stele, from before the first release.`,
        BRING_OVER,
      );
    case "foreign":
      return problem("store", `${name} belongs to another program.`, MOVE_AWAY);
    case "locked":
      return problem("store", condition.reason, "Bring its key back; nothing can be said about it without.");
    case "unreadable":
      return problem("store", `${name} cannot be read: ${condition.reason}`, "Check the disk and the permissions.");
  }
}

/** Whether the doctor restores such a store if it can. */
export const isLost = (condition: Condition | null): boolean =>
  condition === null || condition.state === "damaged" || (condition.state === "sound" && condition.schema === 0);

function restoring({ since, ...backup }: NonNullable<Look["backup"]>): string {
  const lost = since === null ? "" : ` (${counted(since, "change")} by its journal)`;
  return `${RECOVER} restores it from ${backupNamed(backup)}. What was written since would be lost${lost}.`;
}

const NO_BACKUP =
  "There is no sound backup to restore it from, so the file stays as it is. Move it elsewhere to begin an empty one.";

function circular(name: string, { shelf, ids, call }: Circle): Finding {
  const who = some(ids.map(handleOf));
  return problem(
    "store",
    `${name} is intact, but these items (${shelf}) replace each other, so that none of them is shown: ${who}.`,
    call
      ? `\`stele rollback ${handleOf(call)}\` in that project takes the latest replacement back.`
      : `\`stele audit --id ${handleOf(ids[0]!)}\` in that project shows the calls; roll the latest one back.`,
  );
}

// Judges the data folder: whether it can be written, who could read it, and whether it could be committed.

/** `read-only` is a matter of permissions; a disk is read-only for everybody. */
export type HomeState = "absent" | "read-only" | "on a read-only disk" | "writable";

interface HomeLook {
  folder: string;
  state: Exclude<HomeState, "absent">;
  /** Our files and folders that others may read. */
  exposed: readonly string[];
  /** Paths of our folders that are not folders. */
  misplaced: readonly string[];
  /** Paths of our folders that are links to others. */
  linked: readonly string[];
  /** The repository that the folder is in, unless git ignores all of it. */
  committable: Committable | null;
}

export interface Committable {
  checkout: string;
  /** From there, with slashes; empty if it is the same folder. */
  path: string;
}

export function judgeHome({ folder, state, exposed, misplaced, linked, committable }: HomeLook): Finding[] {
  const isLink = (path: string) => `${path} is a link. Stele uses the folder it leads to, but does not check it.`;
  return [
    ok("home", `${folder} exists.`),
    ...misplaced.map((path) => problem("home", `${path} is not a folder.`, MOVE_AWAY)),
    ...linked.map((path) => note("home", isLink(path), "Make sure that only you can read it.")),
    ...(state === "writable" ? [] : [judgeReadOnly(state)]),
    ...(committable === null ? [] : [judgeRepository(committable)]),
    ...(exposed.length === 0 ? [] : [judgeExposed([...exposed])]),
  ];
}

function judgeReadOnly(state: "read-only" | "on a read-only disk"): Finding {
  if (state === "read-only")
    return note("home", "It is not writable, so stored data can only be read.", "Check its permissions.");
  return note(
    "home",
    "It is on a read-only file system, so stored data can only be read.",
    "Mount it for writing; if it was, the system may have found a fault of the disk. Or set STELE_HOME to another folder.",
  );
}

function judgeExposed(paths: string[]): Finding {
  const message = `${counted(paths.length, "file or folder", "files and folders")} of it can be read by others: ${some(paths)}.`;
  return problem("home", message, `${RECOVER} makes them private.`, { kind: "close", paths });
}

/** No more than a note: somebody may want it there. */
function judgeRepository({ checkout, path }: Committable): Finding {
  const message = `It is in the repository ${checkout}, and git does not ignore all of it, so memories could be committed.`;
  const next =
    path === ""
      ? "Move it out of the repository, and set STELE_HOME to its new place."
      : `Add /${path}/ to the repository's .gitignore, or move it out of the repository, and set STELE_HOME to its new place.`;
  return note("home", message, next);
}

// Judges what the data folder takes on its disk, and whether the disk has room for more.

/** What the disk of the data folder still takes. */
export interface Room {
  bytes: number;
  /** Null if the file system does not count files. */
  files: number | null;
}

export interface Part {
  part: string;
  bytes: number;
}

/** Less than this, and a memory may not be stored. */
const FULL_BYTES = 1_000_000;
const LITTLE_BYTES = 100_000_000;
const MAKE_ROOM = "Free some space on it, or move the data folder to another disk and set STELE_HOME to its new place.";

/** `room` is null if the system does not tell. */
export function judgeDisk(parts: readonly Part[], room: Room | null): Finding[] {
  const all = sumOf(parts);
  const shown = some(parts.map(({ part, bytes }) => `${part} ${megabytes(bytes)}`));
  const message = parts.length === 0 ? "Nothing is stored yet." : `${megabytes(all)} in all: ${shown}.`;
  return [ok("disk", message), ...judgeRoom(parts, room)];
}

export function judgeRoom(parts: readonly Part[], room: Room | null): Finding[] {
  if (room === null) return [];
  if (room.files === 0) return [problem("disk", "The disk of the data folder takes no more files.", "Remove some.")];
  const free = `${megabytes(room.bytes)} are free`;
  if (room.bytes < FULL_BYTES) {
    return [problem("disk", `The disk of the data folder is full: ${free}, so nothing can be stored.`, MAKE_ROOM)];
  }
  // A backup copies all stores, and whatever rewrites a store does so as well.
  const stores = sumOf(parts.filter(({ part }) => part !== "backups"));
  if (room.bytes >= Math.max(LITTLE_BYTES, stores)) return [];
  const why = room.bytes < stores ? ", less than a backup takes" : "";
  return [note("disk", `The disk of the data folder is nearly full: ${free}${why}.`, MAKE_ROOM)];
}

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);

/** Judges whether the index and the hooks of a project are at work, and what looks strange. */
const STALE_INDEX_MS = 7 * DAY_MS;

/** `found` is null if the project has no store that can be read; `connected`: the hosts that have our hooks. */
export function judgeActivity(
  found: Activity | null,
  { fault, connected, waiting }: { fault: string | null; connected: readonly HostId[]; waiting: WaitingReports },
  now: number,
): Finding[] {
  const faults = fault === null ? [] : [note("hooks", `The last fault of a hook: ${fault}.`, null)];
  const reports = [...waitingOf(waiting), ...faults];
  if (found === null) return reports;
  // That nothing was reported is not so where reports wait.
  const isSilent = found.reportedAt === null && waiting.reports > 0;
  return [indexOf(found, now), ...(isSilent ? [] : [hooksOf(found, connected, now)]), ...reports];
}

function waitingOf({ reports, missing }: WaitingReports): Finding[] {
  if (reports === 0) return [];
  const message = counted(reports, "report of hooks waits", "reports of hooks wait");
  if (missing.length === 0) return [ok("hooks", `${message} to be taken in.`)];
  const next = "`stele extract` takes the reports in without it once it is missing for a minute.";
  return [note("hooks", `${message} for a transcript that is missing: ${some(missing)}.`, next)];
}

function indexOf({ files, checkedAt }: Activity, now: number): Finding {
  if (checkedAt === null) {
    const next = "`stele index` does so, and so does a search.";
    return note("index", "The files of this project have not been indexed.", next);
  }
  const message = `${counted(files, "file")} in the index, last checked ${agoText(now - checkedAt)}.`;
  const isStale = now - checkedAt > STALE_INDEX_MS;
  return isStale ? note("index", message, "`stele index` checks them.") : ok("index", message);
}

function hooksOf({ reportedAt, surfaces }: Activity, connected: readonly HostId[], now: number): Finding {
  const [last] = surfaces;
  const slowest = Math.max(0, ...surfaces.map(({ ms }) => ms));
  const started = last
    ? `; the surface was last asked for ${agoText(now - last.at)}: ${last.tokens} tokens, ${last.ms} ms, at most ${slowest} ms lately`
    : "";
  return reportedAt === null
    ? note("hooks", `No hook has reported anything from this project${started}.`, firstReport(connected))
    : ok("hooks", `Hooks or agents last reported ${agoText(now - reportedAt)}${started}.`);
}

function firstReport(connected: readonly HostId[]): string {
  if (connected.length === 0) return "`stele init` sets hooks up.";
  const trust = connected.includes("codex") ? " Codex asks you to trust the hooks first: enter /hooks there." : "";
  return `The next session in it will.${trust}`;
}

/** Leases that end later than any taken now could. They block nobody. */
export const judgeLeases = (leases: readonly { name: string; until: string }[]): Finding[] =>
  leases.map(({ name, until }) =>
    note(
      "store",
      `A lease for "${name}" lasts until ${until}, so it was taken while the clock was ahead.`,
      "Nothing to do: it does not count, and the next process replaces it. Check the clock.",
    ),
  );

/** Anybody can make a folder that looks like a project which is gone, so a person decides. */
export function judgeLookalike({ root }: Pick<Space, "root">, gone: Pick<Space, "id" | "root"> | null): Finding[] {
  if (gone === null) return [];
  const message = `${gone.root} is gone; ${root} has the same remote and first commit, but not its memory.`;
  const remedy = { kind: "take over" as const, id: gone.id, from: gone.root, root };
  return [note("projects", message, `If it is the same project, confirm that with ${RECOVER} in a terminal.`, remedy)];
}

/** Judges how the memory is encrypted: whether its key is at hand, and whether stores were left behind beside it. */
export interface EncryptionLook {
  record: EncryptionRecord | null;
  /** Why the key is not at hand; null if it is, or none is needed. */
  fault: { message: string; hint: string } | null;
  /** Stores that a command which was interrupted left behind. */
  left: readonly string[];
  /** How many reports of hooks wait in plain text. */
  plainReports: number;
}

export function judgeEncryption({ record, fault, left, plainReports }: EncryptionLook): Finding[] {
  const key = record?.key ?? null;
  const findings: Finding[] = [];
  if (fault !== null) findings.push(problem("key", fault.message, fault.hint));
  else if (key !== null) findings.push(ok("key", `The memory is encrypted. Its key (${key.id}) ${placeOf(key)}.`));
  if (key !== null && plainReports > 0) {
    const message = `Reports of hooks that wait in plain text although the memory is encrypted: ${plainReports}. A hook that had started before wrote them.`;
    findings.push(problem("key", message, "`stele encrypt` seals them."));
  }
  if (left.length === 0) return findings;
  const remedy: Remedy = { kind: "clear stores", paths: [...left] };
  const message = `Stores that an interrupted command left behind, in use by nobody: ${some(left)}.`;
  const next = `${RECOVER} removes them.`;
  // They may be plain text beside an encrypted memory.
  return [...findings, key === null ? note("key", message, next, remedy) : problem("key", message, next, remedy)];
}

function placeOf({ kept }: NonNullable<EncryptionRecord["key"]>): string {
  if (kept.kind === "file") return `is in ${kept.path}`;
  return kept.kind === "keyring" ? "is in the system's keyring" : "is encrypted with a passphrase";
}

/** What the doctor says about the server of a shared project. */
export interface TeamLook {
  schema: string;
  /** Where the server is. */
  server: string;
  /** Whether the connection never leaves this machine. */
  isHere: boolean;
  /** Reports of hooks that nobody has taken in yet. */
  reports: number;
  found: TeamCondition | { message: string; hint: string };
}

/** Every read of a shared project waits for it, and a recall makes a dozen. */
const SLOW_MS = 100;

export function judgeTeam(look: TeamLook | null): Finding[] {
  if (look === null) return [];
  const { schema, server, isHere, reports, found } = look;
  if ("hint" in found) return [problem("team", `${server}: ${found.message}`, found.hint)];
  const { user, role, granted, mayWrite, version, newest, isEncrypted, roundTripMs, extensions } = found;
  const name = nameOfSchema(schema);
  const findings: Finding[] = [];
  if (role === null)
    findings.push(problem("team", `${user} has no role in ${name} on ${server}.`, "Ask whoever manages the server."));
  if (version !== newest) {
    const message = `${name} on ${server} has ${version === null ? "no tables that you can read" : `schema ${version}`}; this Stele needs ${newest}.`;
    findings.push(problem("team", message, "Ask whoever manages the server to run `stele team init`."));
  }
  if (!isEncrypted && !isHere)
    findings.push(note("team", `The connection to ${server} is not encrypted.`, "Remove team.tls from your settings."));
  if (roundTripMs > SLOW_MS)
    findings.push(
      note("team", `The way to ${server} and back takes ${roundTripMs.toFixed(0)} ms.`, "Recalls wait for it."),
    );
  if (granted !== null && granted !== role) {
    const message = `${user} was granted the role of a ${granted} in ${name}, but does not inherit its rights.`;
    findings.push(note("team", message, howToInherit(roleOf(schema, granted), user)));
  }
  if (role !== null && !mayWrite) {
    const waiting = reports === 0 ? "" : `, and ${counted(reports, "report")} from before must wait`;
    const hint = "Ask whoever manages the server for the role of a writer, if sessions should be captured.";
    findings.push(note("team", `You are a reader of ${name}: hooks record nothing here${waiting}.`, hint));
  }
  if (findings.some(({ state }) => state === "problem")) return findings;
  const said = [
    `Shared as ${name} on ${server} (${found.server}); ${user} is a ${role}`,
    ...[
      isEncrypted ? "encrypted" : "not encrypted",
      `schema ${version}`,
      `${roundTripMs.toFixed(1)} ms there and back`,
    ],
    `extensions: ${extensions.join(", ")}, and none is needed`,
  ];
  return [ok("team", `${said.join("; ")}.`), ...findings];
}
