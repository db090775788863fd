/**
 * Composition: the one place where adapters meet the ports.
 *
 * Opening a world opens two small files and nothing else; models, vocabularies and vectors
 * are loaded by whoever first needs them.
 */
import { existsSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import {
  type Config,
  type ConfigSources,
  type Surroundings,
  homeFolder,
  loadConfig,
  readSurroundings,
} from "./config.ts";
import { type Patient, examine, treat } from "./engine/doctor.ts";
import { openSpace } from "./engine/open-space.ts";
import { Failure } from "./errors.ts";
import type { Doctor } from "./hosts/cli/doctor.ts";
import { redact } from "./logic/redaction.ts";
import type { Clock, Embedder, Progress, World } from "./ports.ts";
import { createAfterwards } from "./providers/afterwards.ts";
import { systemClock } from "./providers/clock.ts";
import { createFiles } from "./providers/files.ts";
import { branchReader, readRepository } from "./providers/git.ts";
import { createHashEmbedder } from "./providers/hash-embedder.ts";
import { createHome } from "./providers/home.ts";
import { createIds } from "./providers/ids.ts";
import { createLog } from "./providers/log.ts";
import { withLru } from "./providers/lru-embedder.ts";
import { createMinilm } from "./providers/minilm/embedder.ts";
import { cachedGraph } from "./providers/minilm/graph-cache.ts";
import { GRAPH_KEY } from "./providers/minilm/identity.ts";
import { createTokenizer } from "./providers/minilm/tokenizer.ts";
import { createNoEmbedder } from "./providers/no-embedder.ts";
import { createBackups } from "./store/sqlite/backups.ts";
import { examineBackups, examineSpaces, examineStore, sqliteVersion, strangeBackups } from "./store/sqlite/examine.ts";
import { adoptSpace, recoverStore } from "./store/sqlite/recover.ts";
import { openSqliteStore } from "./store/sqlite/store.ts";

export interface OpenOptions {
  /** Who asks: cli, mcp, library. */
  host: string;
  /** The folder whose project is meant; the host's own hint, else the working folder. */
  project?: string | undefined;
  home?: string | undefined;
  session?: string | undefined;
  progress?: Progress | undefined;
  clock?: Clock | undefined;
  settings?: ConfigSources["flags"];
}

export interface OpenWorld {
  world: World;
  close(): Promise<void>;
}

const NO_PROGRESS: Progress = { report: () => {} };

export async function openWorld(options: OpenOptions): Promise<OpenWorld> {
  const surroundings = readSurroundings();
  const home = homeFolder(options.home);
  const repository = readRepository(projectFolder(options, surroundings));
  const config = loadConfig({ home: options.home, projectRoot: repository.root, flags: options.settings ?? {} });
  const log = createLog(config.log.level, process.stderr);
  const clock = options.clock ?? systemClock;
  const ids = createIds(clock);
  refuseLost(home);
  const global = await openSqliteStore({ path: join(home, "global.db"), kind: "global", clock });
  try {
    const { id } = await openSpace(repository, { global, clock, ids, isGone: (path) => !existsSync(path) });
    const paths = { project: join(home, "spaces", `${id}.db`), global: join(home, "global.db") };
    const project = await openSqliteStore({ path: paths.project, kind: "project", clock });
    const embedder = withLru(createEmbedder(config, home));
    const afterwards = createAfterwards(log);
    const progress = options.progress ?? NO_PROGRESS;
    const world: World = {
      project,
      global,
      place: { root: repository.root, spaceId: id, branch: branchReader(repository.gitFolder, clock) },
      embedder,
      tokenizer: createTokenizer(),
      clock,
      ids,
      log,
      progress,
      afterwards,
      // A server is started anywhere; who asks it thinks of the project.
      files: createFiles(options.host === "mcp" ? repository.root : surroundings.cwd),
      backups: createBackups({
        folder: join(home, "backups"),
        files: paths,
        keep: config.backup.keep,
        clock,
        progress,
      }),
      settings: config,
      origin: {
        verb: "",
        host: options.host,
        session: redact(options.session ?? surroundings.session ?? ids.next()).text,
        call: "",
      },
    };
    const close = () =>
      closeInTurn([() => afterwards.settle(), () => embedder.close(), () => project.close(), () => global.close()]);
    return { world, close };
  } catch (thrown) {
    await global.close();
    throw thrown;
  }
}

/** A new registry would give every project a new, empty memory; the old ones would only seem to be gone. */
function refuseLost(home: string): void {
  if (!createHome(home).isGlobalLost()) return;
  throw new Failure(
    "unavailable",
    `${join(home, "global.db")} is missing or empty, but there are memories of projects.`,
    "Run `stele doctor`: it can recover it from the latest backup.",
  );
}

/** The doctor, who opens no store. Works on whatever is there. */
export function openDoctor(options: { project?: string | undefined; home?: string | undefined }): Doctor {
  const surroundings = readSurroundings();
  const folder = homeFolder(options.home);
  const home = createHome(folder);
  const project = projectFolder({ host: "doctor", ...options }, surroundings);
  const backupFolder = join(folder, "backups");
  const global = join(folder, "global.db");
  const patient: Patient = {
    ...home,
    program: () => `Node ${process.version}, SQLite ${sqliteVersion()}.`,
    settings: () => void loadConfig({ home: options.home, projectRoot: readRepository(project).root }),
    stores() {
      const isLost = home.isGlobalLost();
      const projects = home.spaceFiles().map((name) => ({
        ...{ name: `spaces/${name}`, path: join(folder, "spaces", name), kind: "project" as const, isLost: false },
      }));
      const own = { name: "global.db", path: global, kind: "global" as const, isLost };
      return existsSync(global) || isLost ? [own, ...projects] : projects;
    },
    examine: examineStore,
    spaces: () => examineSpaces(global),
    isGone: (path) => !existsSync(path),
    backups: () => examineBackups(backupFolder),
    strangeBackups: () => strangeBackups(backupFolder),
    async model() {
      const path = join(folder, "models", `${GRAPH_KEY}.graph`);
      if (!existsSync(path)) return null;
      const built = await cachedGraph(join(folder, "models"), GRAPH_KEY, () => Promise.reject(new Error())).catch(
        () => null,
      );
      return built?.graph.byteLength ?? "damaged";
    },
    recover: (path, kind) => recoverStore({ path, kind, folder: backupFolder, clock: systemClock }),
    here: () => readRepository(project),
    adopt(path) {
      const { key, root, remote, firstCommit } = readRepository(project);
      const space = { id: basename(path, ".db"), key, root, remote, firstCommit, createdAt: systemClock.now() };
      return adoptSpace(global, space, systemClock);
    },
  };
  return { examine: () => examine(patient), treat: (remedy) => treat(remedy, patient) };
}

/** Each is closed, whatever happened to those before it; the first failure is told in the end. */
export async function closeInTurn(closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  const failures: unknown[] = [];
  for (const close of closers) {
    try {
      await close();
    } catch (thrown) {
      failures.push(thrown);
    }
  }
  if (failures.length > 0) throw failures[0];
}

function projectFolder({ project, host }: OpenOptions, { cwd, hostProject }: Surroundings): string {
  const folder = resolve(project ?? (host === "mcp" ? hostProject : null) ?? cwd);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
  throw new Failure("invalid_input", `There is no folder ${folder}.`, "Name an existing folder as the project.");
}

function createEmbedder({ embedder }: Config, home: string): Embedder {
  switch (embedder.provider) {
    case "minilm":
      return createMinilm({ cacheFolder: join(home, "models") });
    case "hash":
      return createHashEmbedder();
    case "none":
      return createNoEmbedder();
  }
}
