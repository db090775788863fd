/**
 * Composition of the HTTP server: its routes, its worlds, and where it is found.
 *
 * Separate from `compose.ts`, because nothing else needs it. Worlds are loaded by the first request that needs one.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { ALWAYS_LOADED, catalog, DEFAULT_TOOLS, GUIDANCE, PROMPTS, RESOURCES } from "../catalog/catalog.ts";
import { Failure } from "../errors.ts";
import { startWatching } from "../files/watch-project.ts";
import { newToken } from "../http/guard.ts";
import type { ServeFlags } from "../http/serve-flags.ts";
import { isServed, peerUser, type ServeNote, type ServePlace } from "../http/serve-place.ts";
import { type Served, serveHttp } from "../http/serve.ts";
import { stopSignal } from "../machine/background.ts";
import { systemClock } from "../machine/clock.ts";
import { isNothing } from "../machine/home.ts";
import { startIdleWork } from "../maintenance/idle.ts";
import { isOwnKey } from "../memory/open-space.ts";
import { lockFile } from "../store/sqlite/file-lock.ts";
import { keptConditions } from "../store/sqlite/kept-conditions.ts";
import { openSqliteStore } from "../store/sqlite/store.ts";
import { homeFolder, tokenFileIn } from "./environment.ts";
import { startReleasing } from "./heap.ts";
import { openStoreFolder } from "./store-folder.ts";
import { packageVersion } from "./version.ts";

const ROOT = 0;

interface Serving {
  note: ServeNote;
  server: Served;
  /** Resolves when it has ended and nothing of it is left. */
  ended: Promise<void>;
}

/** Starts the server of the data folder; null if one runs already. */
export async function startServer(place: ServePlace, flags: ServeFlags): Promise<Serving | null> {
  const lock = lockFile(place.lockFile);
  if (lock === null) return null;
  const leave = () => {
    place.clear();
    lock.release();
  };
  try {
    const { token, file } = place.token(flags.tokenFile ?? tokenFileIn(), newToken);
    const server = await serveHttp(optionsOf(flags, token));
    const releasing = startReleasing();
    void stopSignal().then(() => server.stop());
    const { url, pageUrl, ownerKey: key } = server;
    const note = { url, pageUrl, pid: process.pid, tokenFile: file, key };
    place.write(note);
    const ended = server.stopped.finally(() => {
      releasing.stop();
      leave();
    });
    return { note, server, ended };
  } catch (thrown) {
    leave();
    throw thrown;
  }
}

function optionsOf(flags: ServeFlags, token: string): Parameters<typeof serveHttp>[0] {
  // Loading is over, so the young heap may grow again.
  setFlagsFromString("--semi-space-growth-factor=2");
  const examineStore = keptConditions(() => systemClock.now());
  const about = { catalog, version: packageVersion() };
  return {
    ...about,
    token,
    host: flags.host,
    port: flags.port,
    names: flags.names,
    clock: systemClock,
    tls: flags.tls && { cert: readFileSync(flags.tls.cert, "utf8"), key: readFileSync(flags.tls.key, "utf8") },
    spaces: async () => (await knownSpaces(homeFolder())).filter(({ root }) => isServed(root, flags.projects)),
    peerOf(ends) {
      const user = peerUser(ends);
      return { user, isStranger: ![null, process.getuid?.(), ROOT].includes(user) };
    },
    async open(project, purpose) {
      refuseOther(project, flags.projects);
      return (await import("./compose.ts")).openWorld({ host: "http", project, serves: true, ...purpose });
    },
    async examine(project) {
      refuseOther(project, flags.projects);
      const { openDoctor } = await import("./compose-doctor.ts");
      return (await openDoctor({ project, examineStore })).examine();
    },
    idle(world) {
      const works = [startIdleWork(world), startWatching(world)];
      return { stop: () => works.forEach((work) => work.stop()) };
    },
    mcp: {
      ...about,
      tools: flags.tools,
      structured: flags.structured,
      defaultTools: DEFAULT_TOOLS,
      alwaysLoaded: ALWAYS_LOADED,
      resources: RESOURCES,
      prompts: PROMPTS,
      guidance: GUIDANCE,
    },
  };
}

function refuseOther(project: string, served: readonly string[]): void {
  if (isServed(project, served)) return;
  throw new Failure("refused", "This server does not serve that project.", "Name one that `GET /v1/projects` lists.");
}

/** The projects that this data folder has memories of. */
async function knownSpaces(home: string) {
  const { path, key } = await openStoreFolder(home);
  const registry = join(path, "global.db");
  if (isNothing(registry)) return [];
  const store = await openSqliteStore({ path: registry, kind: "global", clock: systemClock, key });
  try {
    return (await store.spaces()).filter((space) => !isOwnKey(space.key));
  } finally {
    await store.close();
  }
}
