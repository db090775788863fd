/** Plans what connecting or disconnecting a host would change, file by file, without changing anything. */
import { hash } from "node:crypto";
import { Failure } from "../../errors.ts";
import { HOST_TABLE } from "../../logic/connect/host-table.ts";
import { httpAdvice, httpTrouble } from "../../logic/connect/http-entries.ts";
import { withHiddenValues } from "../../logic/connect/hide-values.ts";
import { unifiedDiff } from "../../logic/connect/line-diff.ts";
import { planConnect, planRemove } from "../../logic/connect/plan-file.ts";
import { isRefused } from "../../logic/connect/planned.ts";
import { wantedFiles } from "../../logic/connect/wanted-entries.ts";
import { redact } from "../../logic/redaction/redaction.ts";
import {
  type ConnectedFile,
  type Connection,
  NO_UNDO,
  type PlannedHost,
  type Undo,
} from "../../model/connect/connection.ts";
import type { ConnectScope, HostId, Places, PrintedHostId, Program, WantedFile } from "../../model/connect/host.ts";
import type { ConnectRecords, HostFile, HostFiles } from "../../ports/host-files.ts";

export interface ConnectWorld {
  files: HostFiles;
  records: ConnectRecords;
  program: Program;
  places: Places;
  /** Where the token of programs is. */
  tokenFile: string;
}

export interface FileChange {
  path: string;
  file: HostFile;
  /** Null if the file is to be removed. */
  after: string | null;
  undo: Undo;
  /** For people; values of other entries are not shown. */
  diff: string;
}

export interface HostPlan extends PlannedHost {
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
  ...{ path: wanted.path, file, after, undo },
  // Comments may hold secrets too, if only in forms that are known.
  diff: redact(withHiddenValues(unifiedDiff(wanted.path, file.text, after), wanted), { keepsLines: true }).text,
});

export const hashOf = (text: string): string => hash("sha256", text);
