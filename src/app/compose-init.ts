/**
 * What `init` works with: the hosts' files, records of what was changed, and the sessions that hosts already had.
 *
 * Separate from `compose.ts`, because only `init` and `doctor` need it. Stores are opened only to read old sessions.
 */
import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createConnectRecords, createHostFiles } from "../agents/agent-files.ts";
import type { ConnectScope, Places } from "../agents/connection.ts";
import { lookAtHosts } from "../agents/look-at-agents.ts";
import { applyPlan, type ConnectWorld, planHost, planRemoval, refuseUnsafe } from "../agents/plan-agent.ts";
import { snippetsFor } from "../agents/plan-file.ts";
import { dispatch } from "../catalog/dispatch.ts";
import { type AnyOperation, readerOf } from "../catalog/operation.ts";
import type { Connector, History } from "../cli/init.ts";
import { Failure } from "../errors.ts";
import { readRepository } from "../files/git/git.ts";
import { DEFAULT_PORT } from "../http/serve-flags.ts";
import { noteIn, tokenFileOf } from "../http/serve-place.ts";
import { dataFolder, homeFolder, hostPlaces, programPath, readSurroundings } from "./environment.ts";

const ENTRY = new URL("../../bin/stele.js", import.meta.url);

/** `project`: connect this folder alone. */
export function openConnector({ project, http = false }: ConnectorOptions = {}): Connector {
  const world = connectWorld(project);
  const program = http ? { ...world.program, url: serverUrl() } : world.program;
  return connectorIn({ ...world, program }, project === undefined ? "user" : "project");
}

interface ConnectorOptions {
  project?: string | undefined;
  /** Over HTTP, to the server that runs, or to where it would. */
  http?: boolean;
}

const serverUrl = (): string => noteIn(homeFolder())?.url ?? `http://127.0.0.1:${DEFAULT_PORT}/`;

export function connectorIn(world: ConnectWorld, scope: ConnectScope): Connector {
  return {
    hosts: () => lookAtHosts(world),
    plan(host, kind) {
      const plan = (kind === "connect" ? planHost : planRemoval)(host, scope, world);
      return { shown: plan, apply: () => applyPlan(plan, world) };
    },
    snippets(host) {
      refuseUnsafe(host, "user", world);
      return snippetsFor(host, world.program, world.places);
    },
    history,
  };
}

export function connectWorld(project: string | undefined): ConnectWorld {
  return {
    files: createHostFiles(programPath()),
    records: createConnectRecords(homeFolder),
    // This Node, not the one that was asked for: an old one hands over to the one installed beside us.
    program: { node: process.execPath, entry: fileURLToPath(ENTRY), data: dataFolder() },
    places: placesOf(project),
    tokenFile: tokenFileOf(homeFolder()),
  };
}

function placesOf(project: string | undefined): Places {
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
  // Not from the catalog: the build has a program for `init`, without the verbs of the catalog.
  const operation = (await import("../sessions/verbs/extract.ts")).default as unknown as AnyOperation;
  const run = async (dryRun: boolean) => {
    const { openWorld } = await import("./compose.ts");
    const { world, close } = await openWorld({ host: "cli", reads: dryRun });
    try {
      const { answer } = await dispatch(operation, { history: true }, world, { dryRun });
      const { sessions } = answer as { sessions: number };
      return {
        sessions,
        text: (dryRun ? operation.renderDryRun?.(answer) : null) ?? operation.render(answer, readerOf({}, world)),
      };
    } finally {
      await close();
    }
  };
  return { command: "stele extract --history", preview: () => run(true), read: async () => (await run(false)).text };
}
