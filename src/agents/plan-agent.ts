/** Plans what connecting or disconnecting a host would change, file by file, without changing anything. */
import { hash } from "node:crypto";
import { Failure } from "../errors.ts";
import type { ConnectRecords, HostFile, HostFiles } from "../ports.ts";
import { redact } from "../redaction/rules/redaction.ts";
import { HOST_TABLE, wantedFiles } from "./agent-table.ts";
import {
  type ConnectedFile,
  type Connection,
  type ConnectScope,
  type HostId,
  NO_UNDO,
  type Places,
  type PlannedHost,
  type PrintedHostId,
  type Program,
  type Undo,
  type WantedFile,
} from "./connection.ts";
import { isObject, type Json } from "./json-text.ts";
import { isRefused, planConnect, planRemove } from "./plan-file.ts";
import { httpAdvice, httpTrouble } from "./recognise.ts";

/**
 * Hides what is not ours in the difference of a configuration: it may be the key of another server, in any form.
 *
 * Only values between quotes can be secrets. Keys stay, so that a person sees where a change stands.
 */
const HIDDEN = "…";
/** A text in quotes, and what makes it a key. */
const QUOTED = {
  json: /"((?:[^"\\]|\\.)*)"(\s*:)?/g,
  toml: /"((?:[^"\\]|\\.)*)"(\s*=)?|'[^']*'(\s*=)?/g,
};
/** An older entry of ours starts a program by its path. */
const PATH = /^(?:\/|[A-Za-z]:[\\/])[\w .@+\\/-]+$/;

/** `diff` is unified; its headers and comments stay as they are. */
function withHiddenValues(diff: string, { entries, format }: WantedFile): string {
  const ours = new Set(entries.flatMap(({ value }) => textsIn(value)).map(inner));
  return diff
    .split("\n")
    .map((line, at) => (at < HEADER_LINES || line.startsWith("@@") ? line : hidden(line, QUOTED[format], ours)))
    .join("\n");
}

const HEADER_LINES = 2;

function hidden(line: string, quoted: RegExp, ours: ReadonlySet<string>): string {
  const isChanged = line.startsWith("+") || line.startsWith("-");
  return line.replace(quoted, (all: string, text?: string, key?: string, literalKey?: string) => {
    const isOurs = text !== undefined && (text === "" || ours.has(text) || (isChanged && PATH.test(text)));
    return isOurs || typeof key === "string" || typeof literalKey === "string" ? all : `"${HIDDEN}"`;
  });
}

/** As it stands between quotes. */
const inner = (text: string): string => JSON.stringify(text).slice(1, -1);

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** The difference of two texts as a unified diff: the shortest list of lines to remove and add, with three around each. */
type Sign = " " | "-" | "+";
type Line = [sign: Sign, text: string];

const AROUND = 3;
/** Texts that differ in more lines are shown as replaced. */
const MOST_EDITS = 600;

/** Null stands for no file. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let from = 0;
  while (from < old.length && from < now.length && old[from] === now[from]) from += 1;
  let same = 0;
  while (same < old.length - from && same < now.length - from && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const middle = compare(old.slice(from, old.length - same), now.slice(from, now.length - same));
  const lines: Line[] = [
    ...old.slice(0, from).map((text): Line => [" ", text]),
    ...middle,
    ...old.slice(old.length - same).map((text): Line => [" ", text]),
  ];
  const header = [`--- ${before === null ? "/dev/null" : path}`, `+++ ${after === null ? "/dev/null" : path}`];
  return [...header, ...hunks(lines)].join("\n");
}

/** A last line without an end differs from one that has it. */
function linesOf(text: string | null): string[] {
  if (text === null || text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else lines.push(`${lines.pop()}\n\\ No newline at end of file`);
  return lines;
}

/** Myers: the furthest point reached on each diagonal with so many edits, then the way back. */
function compare(old: readonly string[], now: readonly string[]): Line[] {
  const reached: Map<number, number>[] = [];
  let front = new Map<number, number>([[1, 0]]);
  const most = Math.min(old.length + now.length, MOST_EDITS);
  for (let edits = 0; edits <= most; edits += 1) {
    const next = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown = diagonal === -edits || (diagonal !== edits && at(front, diagonal - 1) < at(front, diagonal + 1));
      let x = isDown ? at(front, diagonal + 1) : at(front, diagonal - 1) + 1;
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= old.length && x - diagonal >= now.length) return wayBack([...reached, front], old, now);
    }
    reached.push(front);
    front = next;
  }
  return [...old.map((text): Line => ["-", text]), ...now.map((text): Line => ["+", text])];
}

const at = (front: Map<number, number>, diagonal: number) => front.get(diagonal) ?? -1;

function wayBack(reached: readonly Map<number, number>[], old: readonly string[], now: readonly string[]): Line[] {
  const lines: Line[] = [];
  let [x, y] = [old.length, now.length];
  for (let edits = reached.length - 1; edits >= 0; edits -= 1) {
    const front = reached[edits]!;
    const diagonal = x - y;
    const isDown = diagonal === -edits || (diagonal !== edits && at(front, diagonal - 1) < at(front, diagonal + 1));
    const before = isDown ? diagonal + 1 : diagonal - 1;
    const [fromX, fromY] = [at(front, before), at(front, before) - before];
    for (; x > fromX && y > fromY; y -= 1) lines.push([" ", old[(x -= 1)]!]);
    if (edits === 0) break;
    if (isDown) lines.push(["+", now[(y -= 1)]!]);
    else lines.push(["-", old[(x -= 1)]!]);
  }
  return lines.reverse();
}

function hunks(lines: readonly Line[]): string[] {
  const shown: string[] = [];
  let [oldLine, newLine, end] = [0, 0, 0];
  for (let index = 0; index < lines.length; ) {
    if (lines[index]![0] === " ") {
      index += 1;
      continue;
    }
    const start = Math.max(end, index - AROUND);
    for (const [sign] of lines.slice(end, start)) if (sign === " ") [oldLine, newLine] = [oldLine + 1, newLine + 1];
    let last = index;
    for (let next = index; next < lines.length && next - last <= 2 * AROUND; next += 1)
      if (lines[next]![0] !== " ") last = next;
    end = Math.min(lines.length, last + AROUND + 1);
    const part = lines.slice(start, end);
    const [olds, news] = [part.filter(([sign]) => sign !== "+").length, part.filter(([sign]) => sign !== "-").length];
    const place = (line: number, count: number) => `${count === 0 ? line : line + 1},${count}`;
    shown.push(`@@ -${place(oldLine, olds)} +${place(newLine, news)} @@`, ...part.map(([sign, text]) => sign + text));
    [oldLine, newLine, index] = [oldLine + olds, newLine + news, end];
  }
  return shown;
}

export interface ConnectWorld {
  files: HostFiles;
  records: ConnectRecords;
  program: Program;
  places: Places;
  /** Where the token of programs is. */
  tokenFile: string;
}

interface FileChange {
  path: string;
  file: HostFile;
  /** Null if the file is to be removed. */
  after: string | null;
  undo: Undo;
  /** For people; values of other entries are not shown. */
  diff: string;
}

interface HostPlan extends PlannedHost {
  changes: FileChange[];
}

const NPM_CACHE = /[\\/]_npx[\\/]/;

export function planHost(host: HostId, scope: ConnectScope, world: ConnectWorld): HostPlan {
  const { program, places } = world;
  refuseUnsafe(host, scope, world);
  const [stale, homes] = [new Set<string>(), new Set<string>()];
  const changes = wantedFiles(host, scope, program, places).flatMap((wanted) => {
    const file = world.files.read(wanted.path, scope === "project" ? places.project : null);
    const planned = planConnect(file.text, wanted, program);
    if (isRefused(planned)) throw new Failure("conflict", planned.refused, planned.hint);
    for (const path of planned.stale) stale.add(path);
    for (const path of planned.homes) homes.add(path);
    return planned.text === file.text ? [] : [change(wanted, file, planned.text, planned.undo)];
  });
  const { title, advice } = HOST_TABLE[host];
  const notes = [
    ...advice,
    ...(program.url === undefined ? [] : httpAdvice(host, world.tokenFile)),
    ...(scope === "project" ? ["These files name paths of this machine; keep them out of a shared repository."] : []),
    ...(NPM_CACHE.test(program.entry)
      ? ["Stele runs from npm's cache, which may be emptied: install it, then run this again."]
      : []),
    ...(program.data.variable === "XDG_DATA_HOME"
      ? ["The data folder follows XDG_DATA_HOME: start the host with it, or name the folder with STELE_HOME instead."]
      : []),
  ];
  return { host, title, scope, kind: "connect", changes, stale: [...stale], homes: [...homes], advice: notes };
}

/** A host over HTTP must find the token, and say which project it means, without either standing in a shared file. */
export function refuseUnsafe(host: PrintedHostId, scope: ConnectScope, { program, places }: ConnectWorld): void {
  const { url } = program;
  const trouble = url === undefined ? null : httpTrouble(host, { url, scope, platform: places.platform });
  if (trouble !== null) throw new Failure("refused", trouble.message, trouble.hint);
}

export function planRemoval(host: HostId, scope: ConnectScope, world: ConnectWorld): HostPlan {
  const { program, places } = world;
  const record = world.records.read(host, scope === "project" ? places.project : null);
  const changes = wantedFiles(host, scope, program, places).flatMap((wanted) => {
    const file = world.files.read(wanted.path, scope === "project" ? places.project : null);
    if (file.text === null) return [];
    const known = record?.files.find(({ path }) => path === wanted.path);
    const after = textBefore(file.text, wanted, known, record, world);
    return after === file.text ? [] : [change(wanted, file, after, known?.undo ?? NO_UNDO)];
  });
  return { host, title: HOST_TABLE[host].title, scope, kind: "remove", changes, stale: [], homes: [], advice: [] };
}

/** What was there before, if nothing has changed since; else the text without our entries. */
function textBefore(
  text: string,
  wanted: WantedFile,
  known: ConnectedFile | undefined,
  record: Connection | null,
  { records }: ConnectWorld,
): string | null {
  if (known?.isExact && hashOf(text) === known.after) {
    if (known.before === null) return null;
    const copy = known.backup === null ? null : records.backup(record!, known.backup);
    if (copy !== null && hashOf(copy) === known.before) return copy;
  }
  const removed = planRemove(text, wanted, known?.undo ?? NO_UNDO, known?.before === null);
  if (!("fault" in removed)) return removed.text;
  throw new Failure(
    "conflict",
    `${wanted.path} cannot be changed: ${removed.fault}.`,
    "Nothing was changed. Remove `stele` by hand.",
  );
}

const change = (wanted: WantedFile, file: HostFile, after: string | null, undo: Undo): FileChange => ({
  path: wanted.path,
  file,
  after,
  undo,
  // Comments may hold secrets too, if only in forms that are known.
  diff: redact(withHiddenValues(unifiedDiff(wanted.path, file.text, after), wanted), { keepsLines: true }).text,
});

const hashOf = (text: string): string => hash("sha256", text);

/**
 * Carries out a plan.
 *
 * The record is written first: whatever happens afterwards, it tells how to undo what was done. A file that is no longer
 * as planned is not touched.
 */
export function applyPlan(plan: HostPlan, world: ConnectWorld): void {
  if (plan.kind === "connect") connect(plan, world);
  else disconnect(plan, world);
}

const projectOf = ({ scope }: HostPlan, { places }: ConnectWorld) => (scope === "project" ? places.project : null);

function connect(plan: HostPlan, world: ConnectWorld): void {
  if (plan.changes.length === 0) return;
  const { host, scope, changes } = plan;
  const project = projectOf(plan, world);
  const old = world.records.read(host, project)?.files ?? [];
  const texts = new Map<string, string>();
  const changed = changes.map((change) => {
    const known = old.find(({ path }) => path === change.path);
    if (known !== undefined) return continued(known, change);
    const backup = change.file.text === null ? null : `before-${hashOf(change.path).slice(0, 8)}`;
    if (backup !== null) texts.set(backup, change.file.text!);
    return first(change, backup);
  });
  const others = old.filter(({ path }) => !changes.some((change) => change.path === path));
  const connection: Connection = { host, scope, project, files: [...others, ...changed] };
  world.records.write(connection, texts);
  for (const { file, after } of changes) world.files.write(file, after!);
}

const first = ({ path, file, after, undo }: FileChange, backup: string | null): ConnectedFile => ({
  path,
  before: file.text === null ? null : hashOf(file.text),
  after: hashOf(after!),
  backup,
  isExact: true,
  folders: file.folders,
  undo,
});

/** Going back to what was there before is only right while nobody else has changed the file. */
const continued = (known: ConnectedFile, { file, after, undo }: FileChange): ConnectedFile => ({
  ...known,
  after: hashOf(after!),
  isExact: known.isExact && file.text !== null && hashOf(file.text) === known.after,
  folders: [...new Set([...known.folders, ...file.folders])],
  undo: joined(known.undo, undo),
});

const joined = (old: Undo, now: Undo): Undo => ({
  traces: [...old.traces, ...now.traces],
  constants: [...new Set([...old.constants, ...now.constants])],
  lead: old.lead || now.lead,
  blank: old.blank ?? now.blank,
});

function disconnect(plan: HostPlan, world: ConnectWorld): void {
  const project = projectOf(plan, world);
  const record = world.records.read(plan.host, project);
  for (const { path, file, after } of plan.changes) {
    const folders = record?.files.find((known) => known.path === path)?.folders ?? [];
    if (after === null) world.files.remove(file, folders);
    else world.files.write(file, after);
  }
  if (record !== null) world.records.drop(record);
}
