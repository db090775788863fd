/**
 * What `init` works with: the hosts' files, records of what was changed, and the sessions that hosts already had.
 *
 * Separate from `compose.ts`, because only `init` and `doctor` need it. Stores are opened only to read old sessions.
 */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type HostPlaces, homeFolder, hostPlaces, programPath, readSurroundings } from "./environment.ts";
import { applyPlan } from "../engine/connect/apply-plan.ts";
import { lookAtHosts } from "../engine/connect/look-at-hosts.ts";
import { type ConnectWorld, planHost, planRemoval } from "../engine/connect/plan-host.ts";
import { Failure } from "../errors.ts";
import { dispatch } from "../hosts/dispatch.ts";
import type { Connector, History } from "../hosts/cli/init.ts";
import { snippetsFor } from "../logic/connect/snippet.ts";
import type { ConnectScope } from "../model/connect/host.ts";
import { catalog } from "../operations/catalog.ts";
import { createConnectRecords } from "../providers/files/connect-records.ts";
import { createHostFiles } from "../providers/files/host-files.ts";
import { readRepository } from "../providers/git.ts";

const ENTRY = new URL("../../bin/stele.js", import.meta.url);

/** `project`: connect this folder alone. */
export function openConnector({ project }: { project?: string | undefined } = {}): Connector {
  return connectorIn(connectWorld(project), project === undefined ? "user" : "project");
}

export function connectorIn(world: ConnectWorld, scope: ConnectScope): Connector {
  return {
    hosts: () => lookAtHosts(world),
    plan(host, kind) {
      const plan = (kind === "connect" ? planHost : planRemoval)(host, scope, world);
      return { shown: plan, apply: () => applyPlan(plan, world) };
    },
    snippets: (host) => snippetsFor(host, world.program, world.places),
    history,
  };
}

export function connectWorld(project: string | undefined): ConnectWorld {
  return {
    files: createHostFiles(programPath()),
    records: createConnectRecords(homeFolder),
    // This Node, not the one that was asked for: an old one hands over to the one installed beside us.
    program: { node: process.execPath, entry: fileURLToPath(ENTRY) },
    places: placesOf(project),
  };
}

function placesOf(project: string | undefined): HostPlaces {
  if (project === undefined) return hostPlaces(readRepository(readSurroundings().cwd).checkout);
  try {
    return hostPlaces(readRepository(realpathSync(project)).checkout);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    throw new Failure("not_found", `There is no folder ${project}.`, "Name the project's folder.", { cause });
  }
}

/** The sessions that this project already had. */
async function history(): Promise<History> {
  const operation = await catalog.load("extract");
  const run = async (dryRun: boolean) => {
    const { openWorld } = await import("./compose.ts");
    const { world, close } = await openWorld({ host: "cli" });
    try {
      const { answer } = await dispatch(operation, { history: true }, world, { dryRun });
      const { sessions } = answer as { sessions: number };
      return { sessions, text: (dryRun ? operation.renderDryRun! : operation.render)(answer) };
    } finally {
      await close();
    }
  };
  return { command: "stele extract --history", preview: () => run(true), read: async () => (await run(false)).text };
}
