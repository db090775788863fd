/**
 * Composition: the one place where adapters meet the ports.
 *
 * Opening a world opens two small files and nothing else; models, vocabularies and vectors
 * are loaded by whoever first needs them.
 */
import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  type Config,
  type ConfigSources,
  type Surroundings,
  homeFolder,
  loadConfig,
  readSurroundings,
} from "./config.ts";
import { openSpace } from "./engine/open-space.ts";
import { Failure } from "./errors.ts";
import { redact } from "./logic/redaction.ts";
import type { Clock, Embedder, Progress, World } from "./ports.ts";
import { createAfterwards } from "./providers/afterwards.ts";
import { systemClock } from "./providers/clock.ts";
import { branchReader, readRepository } from "./providers/git.ts";
import { createHashEmbedder } from "./providers/hash-embedder.ts";
import { createIds } from "./providers/ids.ts";
import { createLog } from "./providers/log.ts";
import { withLru } from "./providers/lru-embedder.ts";
import { createMinilm } from "./providers/minilm/embedder.ts";
import { createTokenizer } from "./providers/minilm/tokenizer.ts";
import { createNoEmbedder } from "./providers/no-embedder.ts";
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
  const global = await openSqliteStore({ path: join(home, "global.db"), kind: "global", clock });
  try {
    const { id } = await openSpace(repository, { global, clock, ids, isGone: (path) => !existsSync(path) });
    const project = await openSqliteStore({ path: join(home, "spaces", `${id}.db`), kind: "project", clock });
    const embedder = withLru(createEmbedder(config, home));
    const afterwards = createAfterwards(log);
    const world: World = {
      project,
      global,
      place: { root: repository.root, spaceId: id, branch: branchReader(repository.gitFolder, clock) },
      embedder,
      tokenizer: createTokenizer(),
      clock,
      ids,
      log,
      progress: options.progress ?? NO_PROGRESS,
      afterwards,
      settings: config,
      origin: {
        verb: "",
        host: options.host,
        session: redact(options.session ?? surroundings.session ?? ids.next()).text,
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
