/**
 * Carries out a plan.
 *
 * The record is written first: whatever happens afterwards, it tells how to undo what was done. A file that is no longer
 * as planned is not touched.
 */
import type { ConnectedFile, Connection, Undo } from "../../model/connect/connection.ts";
import { type ConnectWorld, type FileChange, type HostPlan, hashOf } from "./plan-host.ts";

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
  ...{ path, before: file.text === null ? null : hashOf(file.text), after: hashOf(after!) },
  ...{ backup, isExact: true, folders: file.folders, undo },
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
