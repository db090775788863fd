/**
 * Composition of the doctor: everything it examines and repairs with.
 *
 * Separate from `compose.ts`, because nothing else needs it. It opens no store, so it works
 * in any state of the data folder.
 */
import { existsSync, lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { createEmbedder, projectFolder } from "./compose.ts";
import { connectWorld } from "./compose-init.ts";
import { loadConfig } from "./config.ts";
import { homeFolder, readSurroundings, runtimeFolder } from "./environment.ts";
import { type Patient, examine, treat } from "../engine/care/doctor.ts";
import { examineHosts } from "../engine/connect/look-at-hosts.ts";
import type { Doctor } from "../hosts/cli/doctor.ts";
import { locateSpace } from "../logic/memory/locate-space.ts";
import type { Embedder } from "../ports/embedder.ts";
import { lastHookFault } from "../providers/capture/hook-log.ts";
import { systemClock } from "../providers/clock.ts";
import { readRepository } from "../providers/git.ts";
import { createHome, isEmptied } from "../providers/files/home.ts";
import { cachedGraph } from "../providers/embed/minilm/graph-cache.ts";
import { GRAPH_KEY } from "../providers/embed/minilm/identity.ts";
import { createMeetingPlace } from "../providers/embed/offered/meeting-place.ts";
import { isOffered } from "../providers/embed/offered/ownership.ts";
import { lockFile } from "../store/sqlite/connection/file-lock.ts";
import { tokenVectors } from "../store/vectors/token-vectors.ts";
import {
  examineActivity,
  examineBackups,
  examineSpaces,
  examineStore,
  sqliteVersion,
  invalidBackups,
} from "../store/sqlite/repair/examine.ts";
import { adoptSpace, recoverStore } from "../store/sqlite/repair/recover.ts";

interface DoctorOptions {
  project?: string | undefined;
  home?: string | undefined;
  /** Where hosts are; on this machine unless told otherwise. */
  hosts?: Parameters<typeof examineHosts>[0];
  /** What embeds; what the settings name unless told otherwise. */
  embedder?: () => Embedder;
}

export function openDoctor(options: DoctorOptions): Doctor {
  const surroundings = readSurroundings();
  const folder = homeFolder(options.home);
  const home = createHome(folder);
  const project = projectFolder({ host: "doctor", ...options }, surroundings);
  const backupFolder = join(folder, "backups");
  const global = join(folder, "global.db");
  const config = () => loadConfig({ home: options.home, projectRoot: readRepository(project).root });
  const patient: Patient = {
    ...home,
    program: () => `Node ${process.version}, SQLite ${sqliteVersion()}.`,
    installed: () => void tokenVectors(),
    settings: () => void config(),
    hosts: () => examineHosts(options.hosts ?? connectWorld(project)),
    stores(spaces) {
      const isLost = home.isGlobalLost();
      const existing = new Set(home.spaceFiles());
      // When the folder itself is misplaced, that is the one problem to report, not each missing file.
      const expected = home.misplaced().length > 0 ? [] : spaces.map(({ id }) => `${id}.db`);
      const projects = [...new Set([...existing, ...expected])].map((name) => ({
        ...{ name: `spaces/${name}`, path: join(folder, "spaces", name), kind: "project" as const },
        isLost: !existing.has(name),
      }));
      const own = { name: "global.db", path: global, kind: "global" as const, isLost };
      return lstatSync(global, { throwIfNoEntry: false }) || isLost ? [own, ...projects] : projects;
    },
    examine: examineStore,
    spaces: async () => (home.special(global) ? null : examineSpaces(global)),
    isGone: (path) => !existsSync(path),
    isEmptied,
    backups: () => examineBackups(backupFolder),
    invalidBackups: () => invalidBackups(backupFolder),
    async model() {
      const path = join(folder, "models", `${GRAPH_KEY}.graph`);
      if (!existsSync(path)) return null;
      const built = await cachedGraph(join(folder, "models"), GRAPH_KEY, () => Promise.reject(new Error())).catch(
        () => null,
      );
      return built?.bytes ?? "damaged";
    },
    embed: () => embedOnce(options.embedder?.() ?? createEmbedder(config(), folder, "load")),
    async activity(spaces) {
      const located = locateSpace(readRepository(project), spaces, (path) => !existsSync(path));
      return located.how === "new" ? null : examineActivity(join(folder, "spaces", `${located.space.id}.db`));
    },
    hookFault: () => lastHookFault(folder),
    now: () => systemClock.now(),
    isModelOffered: () => isOffered(createMeetingPlace({ home: folder, runtimeFolder: runtimeFolder() }), lockFile),
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

/** A sentence of its own, so that no cache answers. Null if the settings want no model. */
async function embedOnce(embedder: Embedder): Promise<{ ms: number } | null> {
  try {
    if (embedder.state() === "absent") return null;
    const startedAt = systemClock.now();
    await embedder.embed(["Stele remembers what a session has learnt."]);
    return { ms: systemClock.now() - startedAt };
  } finally {
    await embedder.close();
  }
}
