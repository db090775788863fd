/**
 * Records of connected hosts in the data folder: what was changed, and copies of what was there before.
 *
 * Copies may contain keys of other servers, so they are private, and removed with the connection. A record that cannot be
 * read counts as none: our entries are then recognised by what they start.
 */
import { hash } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { ConnectedFile, Connection } from "../../model/connect/connection.ts";
import type { HostId } from "../../model/connect/host.ts";
import type { ConnectRecords } from "../../ports/host-files.ts";

export function createConnectRecords(home: () => string): ConnectRecords {
  const folder = () => join(home(), "hosts");
  const nameOf = (host: HostId, project: string | null) =>
    project === null ? host : `${host}-${hash("sha256", project).slice(0, 16)}`;
  return {
    read(host, project) {
      const text = textOf(join(folder(), `${nameOf(host, project)}.json`));
      return text === null ? null : parsed(text);
    },
    write(connection, texts) {
      mkdirSync(folder(), { recursive: true, mode: 0o700 });
      const own = join(folder(), nameOf(connection.host, connection.project));
      for (const [name, text] of texts) put(`${own}.${name}`, text);
      put(`${own}.json`, `${JSON.stringify(connection, null, 2)}\n`);
    },
    backup: ({ host, project }, name) =>
      /^[\w-]+$/.test(name) ? textOf(join(folder(), `${nameOf(host, project)}.${name}`)) : null,
    drop({ host, project }) {
      const own = nameOf(host, project);
      for (const name of namesIn(folder()))
        if (name === `${own}.json` || name.startsWith(`${own}.before-`)) rmSync(join(folder(), name), { force: true });
    },
  };
}

function put(path: string, text: string): void {
  const draft = `${path}.tmp`;
  rmSync(draft, { force: true });
  const descriptor = openSync(draft, "wx", 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, path);
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw thrown;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw thrown;
  }
}

function parsed(text: string): Connection | null {
  try {
    const found = JSON.parse(text) as Connection;
    return Array.isArray(found.files) && found.files.every(isFile) ? found : null;
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof TypeError) return null;
    throw thrown;
  }
}

const isFile = (file: ConnectedFile): boolean =>
  typeof file.path === "string" &&
  typeof file.after === "string" &&
  [file.folders, file.undo.traces, file.undo.constants].every(Array.isArray) &&
  file.undo.traces.every(({ path }) => Array.isArray(path));
