/**
 * Composition of the doctor: everything it examines and repairs with.
 *
 * Separate from `compose.ts`, because nothing else needs it. It opens no store, so it works
 * in any state of the data folder.
 */
import { existsSync, lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { examineHosts } from "../agents/look-at-agents.ts";
import type { Doctor } from "../cli/doctor.ts";
import { cachedGraph } from "../embed/minilm/graph-cache.ts";
import { GRAPH_KEY } from "../embed/minilm/identity.ts";
import { createMeetingPlace } from "../embed/shared-model/meeting-place.ts";
import { isOffered } from "../embed/shared-model/owner.ts";
import { leftStores, removeStores } from "../encryption/left-stores.ts";
import { recordIn } from "../encryption/record-file.ts";
import type { AskPassphrase, EncryptionRecord } from "../encryption/record.ts";
import { plainReports } from "../encryption/seal-inbox.ts";
import type { StoreKey } from "../encryption/store-key.ts";
import { Failure, toFailure } from "../errors.ts";
import { committableIn } from "../files/disk/project-files.ts";
import { readRepository } from "../files/git/git.ts";
import { createZone, systemClock } from "../machine/clock.ts";
import { createHome, isEmptied } from "../machine/home.ts";
import type { TeamLook } from "../maintenance/doctor-rules.ts";
import { examine, type Patient, treat } from "../maintenance/doctor.ts";
import type { WaitingReports } from "../maintenance/finding.ts";
import { locateSpace, takeOver, tellApart, type Whereabouts } from "../memory/open-space.ts";
import type { Space } from "../memory/space.ts";
import type { Embedder } from "../ports.ts";
import { redactor } from "../redaction/redact.ts";
import { lastHookFault } from "../sessions/hook-log.ts";
import { spoolFolder } from "../sessions/inbox-writer.ts";
import { TRANSCRIPT_HOSTS } from "../sessions/session.ts";
import { createSpool } from "../sessions/inbox.ts";
import { holdingBackups } from "../store/sqlite/backup/backup-folder.ts";
import {
  examineActivity,
  examineBackups,
  examineLeases,
  examineSpaces,
  examineStore,
  examineWrites,
  invalidBackups,
  sqliteVersion,
} from "../store/sqlite/examine.ts";
import { lockFile } from "../store/sqlite/file-lock.ts";
import type { ExamineStore } from "../store/sqlite/kept-conditions.ts";
import { adoptSpace, recoverStore, soundBackup } from "../store/sqlite/recover.ts";
import { openSqliteStore } from "../store/sqlite/store.ts";
import { tokenVectors } from "../store/vectors/token-vectors.ts";
import { createSharedProjects } from "../team/records.ts";
import { isOnThisMachine, serverName, type SharedProject } from "../team/team.ts";
import { type Zone, zoneNamed } from "../time/calendar.ts";
import { timeIn } from "../time/shown.ts";
import { connectWorld } from "./compose-init.ts";
import { createEmbedder } from "./compose-models.ts";
import { projectFolder } from "./compose.ts";
import { type Config, loadConfig } from "./config.ts";
import { homeFolder, modelsFolder, readSurroundings, runtimeFolder } from "./environment.ts";
import { openStoreFolder, usableHome } from "./store-folder.ts";

interface DoctorOptions {
  project?: string | undefined;
  home?: string | undefined;
  /** Where hosts are; on this machine unless told otherwise. */
  hosts?: Parameters<typeof examineHosts>[0];
  /** Asks for the passphrase of an encrypted memory. */
  askPassphrase?: AskPassphrase | undefined;
  /** What checks a store; every time anew unless told otherwise. */
  examineStore?: ExamineStore;
  /** What embeds; what the settings name unless told otherwise. */
  embedder?: () => Embedder;
}

export async function openDoctor(options: DoctorOptions): Promise<Doctor> {
  const surroundings = readSurroundings();
  const folder = usableHome(options.home);
  const { stores, key, look } = await lookAtEncryption(folder, options.askPassphrase);
  const home = createHome(folder, stores);
  const project = projectFolder({ host: "doctor", ...options }, surroundings);
  const backupFolder = join(stores, "backups");
  const global = join(stores, "global.db");
  const config = (onGone?: (notice: string) => void) =>
    loadConfig({ home: options.home, projectRoot: readRepository(project).root, ...(onGone && { onGone }) });
  const spaceIn = (spaces: readonly Space[]): string | null => {
    const located = locateSpace(readRepository(project), spaces);
    return located.how === "new" ? null : located.space.id;
  };
  const ownStores = (spaces: readonly Space[]): string[] => {
    const id = spaceIn(spaces);
    return id === null ? [] : [join(stores, "spaces", `${sharedProject(folder, id)?.own ?? id}.db`)];
  };
  let zone: Zone | null = null;
  const patient: Patient = {
    ...home,
    program: () => `Node ${process.version}, SQLite ${sqliteVersion()}.`,
    installed: () => void tokenVectors(),
    settings() {
      const gone: string[] = [];
      config((notice) => void gone.push(notice));
      return gone;
    },
    committable: () => committableIn(folder),
    hosts: () => examineHosts(options.hosts ?? connectWorld(project)),
    stores(spaces) {
      const isLost = home.isGlobalLost();
      const existing = new Set(home.spaceFiles());
      // When the folder itself is misplaced, that is the one problem to report, not each missing file.
      const expected = home.misplaced().length > 0 ? [] : spaces.map(({ id }) => `${id}.db`);
      const projects = [...new Set([...existing, ...expected])].map((name) => ({
        name: `spaces/${name}`,
        path: join(stores, "spaces", name),
        kind: "project" as const,
        isLost: !existing.has(name),
      }));
      const own = { name: "global.db", path: global, kind: "global" as const, isLost };
      return lstatSync(global, { throwIfNoEntry: false }) || isLost ? [own, ...projects] : projects;
    },
    examine: (path) => (options.examineStore ?? examineStore)(path, key),
    spaces: async () => (home.special(global) ? null : examineSpaces(global, key)),
    isGone: (path) => !existsSync(path),
    isEmptied,
    backups: () => examineBackups(backupFolder),
    invalidBackups: () => invalidBackups(backupFolder),
    model: () => builtModel(modelsFolder(folder)),
    embed: () => embedOnce(options.embedder?.() ?? createEmbedder(config(), folder, "load")),
    ...examined({ global, ownStores, key }),
    waitingReports: () => waitingReports(spoolFolder(folder, readRepository(project).key), look().record, key),
    hookFault: () => lastHookFault(folder)?.replace(/^\S+Z(?= )/, (stamp) => patient.told(Date.parse(stamp))) ?? null,
    now: () => systemClock.now(),
    told: (at) => timeIn(at, (zone ??= personsZone(config))),
    isModelOffered: () => isOffered(createMeetingPlace({ home: folder, runtimeFolder: runtimeFolder() }), lockFile),
    soundBackup: (path, kind) => soundBackup({ path, kind, folder: backupFolder }, key),
    writes: (path, after) => examineWrites(path, after, key),
    recover: (path, kind, backup) =>
      recoverStore({ path, kind, folder: backupFolder, backup, clock: systemClock, key }),
    encryption: look,
    clearStores: (paths) => holdingBackups(backupFolder, async () => void removeStores(paths), CLEAR_PATIENCE_MS),
    team: async () => lookAtTeam({ home: options.home, project }, spaceIn((await patient.spaces()) ?? []), config),
    here: () => readRepository(project),
    adopt(path) {
      const { key: name, root, remote, firstCommit } = readRepository(project);
      const space = { id: basename(path, ".db"), key: name, root, remote, firstCommit, createdAt: systemClock.now() };
      return adoptSpace(global, space, { clock: systemClock, key });
    },
    settle: (id, isSame) => settle({ global, key }, readRepository(project), { id, isSame }),
  };
  return { examine: () => examine(patient), treat: (remedy) => treat(remedy, patient) };
}

/** The system's where the settings cannot be read or name no zone, which are findings of their own. */
function personsZone(config: () => Config): Zone {
  try {
    return zoneNamed(config().time.zone ?? "") ?? createZone(undefined);
  } catch (thrown) {
    if (thrown instanceof Failure) return createZone(undefined);
    throw thrown;
  }
}

interface Examined {
  global: string;
  ownStores(spaces: readonly Space[]): string[];
  key: StoreKey | null;
}

/** What the stores of this project tell. */
const examined = ({ global, ownStores, key }: Examined): Pick<Patient, "activity" | "leases"> => ({
  async activity(spaces) {
    const [path] = ownStores(spaces);
    return path === undefined ? null : examineActivity(path, key);
  },
  async leases(spaces, after) {
    const paths = [global, ...ownStores(spaces)];
    return (await Promise.all(paths.map((path) => examineLeases(path, after, key)))).flat();
  },
});

const REPORTS_READ = 200;

/** Sealed reports are not read without their key: what cannot be read is moved aside. */
async function waitingReports(
  folder: string,
  record: EncryptionRecord | null,
  key: StoreKey | null,
): Promise<WaitingReports> {
  const spool = createSpool(() => folder, { key });
  const missing = new Set<string>();
  const names = record?.key && key === null ? [] : await spool.list(REPORTS_READ);
  for (const name of names) {
    const { host, transcript = null } = (await spool.read(name)) ?? {};
    const isRead = (TRANSCRIPT_HOSTS as readonly (string | undefined)[]).includes(host);
    if (isRead && transcript !== null && !existsSync(transcript)) missing.add(redactor().clean(transcript));
  }
  return { reports: (await spool.state()).files, missing: [...missing] };
}

/** Null also if the record cannot be read, which is a finding of its own. */
function sharedProject(home: string, space: string): SharedProject | null {
  try {
    return createSharedProjects(homeFolder(home)).find(space);
  } catch (thrown) {
    if (thrown instanceof Failure) return null;
    throw thrown;
  }
}

/** The server of the project, if it is shared. A fault on the way to it is a finding like any other. */
async function lookAtTeam(
  { home, project }: { home: string | undefined; project: string },
  space: string | null,
  config: () => Config,
): Promise<TeamLook | null> {
  let look: Omit<TeamLook, "found"> = { schema: "", server: "the team's server", isHere: false, reports: 0 };
  try {
    const shared = space === null ? null : createSharedProjects(homeFolder(home)).find(space);
    if (shared === null) return null;
    const { url } = config().team;
    const spool = createSpool(() => spoolFolder(homeFolder(home), readRepository(project).key));
    look = { ...look, schema: shared.schema, reports: (await spool.state()).files };
    if (url !== undefined) look = { ...look, server: serverName(url), isHere: isOnThisMachine(url) };
    const { examineShared } = await import("../team/server-store.ts");
    return { ...look, found: await examineShared(shared, { config: config(), home }) };
  } catch (thrown) {
    const { message, hint } = toFailure(thrown);
    return { ...look, found: { message, hint } };
  }
}

const CLEAR_PATIENCE_MS = 1_000;

/** A key that is not at hand is a finding like any other. */
async function lookAtEncryption(home: string, ask: AskPassphrase | undefined) {
  let [record, fault]: [EncryptionRecord | null, Failure | null] = [null, null];
  let opened: { path: string; key: StoreKey | null } = { path: home, key: null };
  try {
    record = recordIn(home);
    if (record !== null) opened = { path: join(home, record.folder), key: null };
    opened = await openStoreFolder(home, ask);
  } catch (thrown) {
    if (!(thrown instanceof Failure)) throw thrown;
    fault = thrown;
  }
  const look = () => ({
    record,
    fault,
    left: leftStores(home, record),
    plainReports: record?.key ? plainReports(home) : 0,
  });
  return { stores: opened.path, key: opened.key, look };
}

async function builtModel(models: string): Promise<number | "damaged" | null> {
  if (!existsSync(join(models, `${GRAPH_KEY}.graph`))) return null;
  const built = await cachedGraph(models, GRAPH_KEY, () => Promise.reject(new Error())).catch(() => null);
  return built?.bytes ?? "damaged";
}

async function settle(
  { global, key }: { global: string; key: StoreKey | null },
  here: Whereabouts,
  { id, isSame }: { id: string; isSame: boolean },
): Promise<void> {
  const store = await openSqliteStore({ path: global, kind: "global", clock: systemClock, key });
  try {
    await (isSame ? takeOver : tellApart)(id, here, { global: store, isGone: (path) => !existsSync(path) });
  } finally {
    await store.close();
  }
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
