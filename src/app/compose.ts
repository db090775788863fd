/**
 * Composition: the one place where adapters meet the ports.
 *
 * Opening a world opens two small files and nothing else; models, vocabularies and vectors
 * are loaded on first use.
 */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { withLru } from "../embed/embedders.ts";
import { createTokenizer } from "../embed/minilm/tokenizer.ts";
import type { Part } from "../embed/shared-model/offered-embedder.ts";
import type { AskPassphrase } from "../encryption/record.ts";
import type { StoreKey } from "../encryption/store-key.ts";
import { Failure } from "../errors.ts";
import { createFiles } from "../files/disk/named-files.ts";
import { createNoteFiles, createProjectFiles } from "../files/disk/project-files.ts";
import { createPatternSearch } from "../files/disk/regex-search.ts";
import { readRepository, type Repository } from "../files/git/git.ts";
import { placeOf } from "../files/git/place.ts";
import { createParser } from "../files/parse/pool.ts";
import type { Origin } from "../journal/change.ts";
import { createAfterwards, createLog } from "../machine/background.ts";
import { createZone, systemClock } from "../machine/clock.ts";
import { isNothing, ownFolders } from "../machine/home.ts";
import { createIds, systemRandom } from "../machine/ids.ts";
import { locateSpace, openSpace } from "../memory/open-space.ts";
import { redact } from "../redaction/rules/redaction.ts";
import { spoolFolder } from "../sessions/inbox-writer.ts";
import { createSpool } from "../sessions/inbox.ts";
import { createTranscripts } from "../sessions/transcript-files.ts";
import { createBackups } from "../store/sqlite/backup/backups.ts";
import { lockFile } from "../store/sqlite/file-lock.ts";
import { createForeignStores } from "../store/sqlite/foreign-stores.ts";
import { createOtherSpaces } from "../store/sqlite/other-spaces.ts";
import { openSqliteStore } from "../store/sqlite/store.ts";
import type { Store } from "../store/store.ts";
import { createReaderMark, createSharedProjects } from "../team/records.ts";
import type { SharingTerms } from "../team/server-store.ts";
import type { SharedProject } from "../team/team.ts";
import type { Clock, Ids, Log, Progress, World } from "../world.ts";
import { createEmbedder, createLlm, createRemote } from "./compose-models.ts";
import type { Config, ConfigSources } from "./config.ts";
import { configure } from "./configure.ts";
import { foreignPlaces, hostFolders, readSurroundings, type Surroundings } from "./environment.ts";
import { isFolder, loggedDaily, notesFolder } from "./named-folders.ts";
import {
  keyPlace,
  type OpenFolder,
  openStoreFolder,
  refuseLost,
  refuseLostSpace,
  sealingOf,
  usableHome,
} from "./store-folder.ts";

// The store of a project: its own file, or together with the team's server if the project is shared.

/** How the project of a space is shared; null if it is not. */
const sharedAs = (home: string, space: string): SharedProject | null => createSharedProjects(home).find(space);

/** Everything about servers is loaded only for a project that is shared. */
async function openProject(shared: SharedProject | null, local: Store, terms: SharingTerms): Promise<Store> {
  if (shared === null) {
    // It may have been shared before, with somebody who only read.
    terms.reader.note(false, terms.clock.now());
    return local;
  }
  const { openShared } = await import("../team/server-store.ts");
  return openShared(shared, local, terms);
}

export interface OpenOptions {
  /** The calling host: cli, mcp, library. */
  host: string;
  /** A folder of the project; by default the one the host names, else the working folder. */
  project?: string | undefined;
  home?: string | undefined;
  session?: string | undefined;
  progress?: Progress | undefined;
  clock?: Clock | undefined;
  /** Whether nothing will be written: then nothing is created that does not exist yet. */
  reads?: boolean | undefined;
  /** In place of standard error. */
  log?: Log | undefined;
  settings?: ConfigSources["flags"];
  /** Whether this process serves others: it may be started in any folder, and its clients mean paths within the project. */
  serves?: boolean | undefined;
  /** Whether this process lives long enough to offer its model to others; a server always does. */
  offerModel?: boolean | undefined;
  /** Asks a person for the passphrase of an encrypted data folder, if nobody holds its key. */
  askPassphrase?: AskPassphrase | undefined;
}

export interface OpenWorld {
  world: World;
  /** Whether nobody has begun a memory of this project: what is written here is kept nowhere. */
  isBlank: boolean;
  /** Whether the stores are elsewhere now, so that whoever lives on has to open the world again. */
  isMoved(): Promise<boolean>;
  close(): Promise<void>;
}

/** In words of our own: what a repository says is not repeated to a person or an agent. */
const BROKEN_SETTINGS = "the project's .stele.json cannot be used and was left out (`stele doctor` says why)";
const LOOKALIKE =
  "a project that is gone had the same remote and first commit (if it is this one, " +
  "`stele doctor --recover` in a terminal takes over its memory)";

const LEFT_BEHIND =
  "a command that was interrupted left stores beside the encrypted ones (`stele doctor --recover` removes them)";

const NO_PROGRESS: Progress = { report: () => {} };

export async function openWorld(options: OpenOptions): Promise<OpenWorld> {
  const surroundings = readSurroundings();
  const home = usableHome(options.home);
  const repository = readRepository(projectFolder(options, surroundings));
  const notices: string[] = [];
  const gone: string[] = [];
  const config = await configure({
    home: options.home,
    projectRoot: repository.checkout,
    flags: options.settings ?? {},
    onProjectFault: () => void notices.push(BROKEN_SETTINGS),
    onGone: (notice) => void gone.push(notice),
  });
  // The stream is made by its first use, which few commands come to.
  const log = options.log ?? createLog(config.log.level, { write: (text) => process.stderr.write(text) });
  const clock = options.clock ?? systemClock;
  const ids = createIds(clock);
  const stores = await openStoreFolder(home, options.askPassphrase);
  const { key, isCurrent } = stores;
  if (stores.hasLeft) notices.push(LEFT_BEHIND);
  refuseLost(stores.path);
  const storing = { clock, random: systemRandom, ...config.data, key, isCurrent };
  const capture = captureOf(repository, home, key);
  // What hooks have left is the beginning of a memory, which whoever comes next takes in.
  const isBegun = async () => (await capture.spool.list(1)).length > 0;
  let creating: Promise<boolean> | undefined;
  const mayCreate = () => (creating ??= options.reads ? isBegun() : Promise.resolve(true));
  const registry = storePaths(stores).global;
  const hasNone = isNothing(registry) && !(await mayCreate());
  const global = await openSqliteStore({ path: registry, kind: "global", ...storing, isInMemory: hasNone });
  try {
    const onLookalike = () => void notices.push(LOOKALIKE);
    const known = { global, clock, ids, isGone: (path: string) => !existsSync(path) };
    const space = await openSpace(repository, { ...known, onLookalike, mayRegister: mayCreate });
    const isNew = async () => !(await global.spaces()).some(({ id }) => id === space.id);
    const isBlank = options.reads === true && !global.readOnly && (await isNew());
    for (const notice of [...gone, ...notices]) log.warn(notice);
    const shared = sharedAs(home, space.id);
    const paths = storePaths(stores, shared?.own ?? space.id);
    await refuseLostSpace(stores.path, space);
    const local = await openSqliteStore({ path: paths.project, kind: "project", ...storing, isInMemory: isBlank });
    const reader = createReaderMark(spoolFolder(home, repository.key));
    const sharing = { config, home: options.home, clock, notices, space: space.id, reader };
    const project = await openProject(shared, local, { ...sharing, listens: options.serves ?? false });
    const embedder = withLru(createEmbedder(config, home, partOf(options)));
    const afterwards = createAfterwards(log);
    const zone = createZone(config.time.zone);
    const origin = { ...originOf(options, surroundings, ids), space: space.id };
    const remoteEmbedder = createRemote(config, { global, clock, ids, afterwards, origin });
    const corpus = corpusOf({ ...repository, home }, config, log);
    const progress = options.progress ?? NO_PROGRESS;
    const world: World = {
      ...(await loggedDaily({ project, global }, repository, { config, home, key, clock, zone, log, afterwards })),
      place: placeOf(repository, { spaceId: space.id, notices, clock }),
      embedder,
      remoteEmbedder,
      llm: createLlm(config),
      tokenizer: createTokenizer(),
      clock,
      zone,
      ids,
      log,
      progress,
      afterwards,
      shownNear: new Map(),
      files: createFiles(options.serves ? repository.checkout : surroundings.cwd, ownFolders(home, stores.path)),
      ...corpus,
      ...capture,
      foreign: createForeignStores(foreignPlaces()),
      ...copiesOf(stores, paths, { clock, progress, limits: config.backup }),
      sealing: sealingOf(stores, options.askPassphrase),
      settings: config,
      origin,
    };
    const holding = await holdForOthers(home, stores, options);
    const closers = [corpus.parser, embedder, project, global].map((part) => () => part.close());
    const close = () => closeInTurn([async () => holding?.release(), () => afterwards.settle(), ...closers]);
    const isOtherRole = () => shared !== null && reader.isOther();
    const isOther = () => sharedAs(home, space.id)?.schema !== shared?.schema || isOtherRole();
    const isRegistered = async () => locateSpace(repository, await global.spaces()).how !== "new";
    const isNoLongerBlank = async () => (hasNone && !isNothing(registry)) || (await isBegun()) || isRegistered();
    const isMoved = async () => !isCurrent() || isOther() || (isBlank && isNoLongerBlank());
    return { world, isBlank, isMoved, close };
  } catch (thrown) {
    await global.close();
    throw thrown;
  }
}

const storePaths = ({ path }: OpenFolder, id = "") => ({
  project: join(path, "spaces", `${id}.db`),
  global: join(path, "global.db"),
});

/** What an erasure must reach besides the two stores. */
function copiesOf(
  { path, key, isCurrent }: OpenFolder,
  files: ReturnType<typeof storePaths>,
  { clock, progress, limits }: Pick<World, "clock" | "progress"> & { limits: Config["backup"] },
): Pick<World, "otherSpaces" | "backups" | "isEncrypted"> {
  return {
    isEncrypted: key !== null,
    otherSpaces: createOtherSpaces({ folder: join(path, "spaces"), except: files.project, clock, key, isCurrent }),
    backups: createBackups({ folder: join(path, "backups"), files, clock, progress, key, ...limits }),
  };
}

/** A process that lives on holds a key that a person or the keyring gave, so that the others need not ask. */
async function holdForOthers(home: string, { key, isHeld }: OpenFolder, options: OpenOptions) {
  if (key === null || !isHeld || partOf(options) !== "offer") return null;
  const { holdKey } = await import("../encryption/key-holder.ts");
  return holdKey(key, { place: keyPlace(home), lock: lockFile });
}

/** Who runs the verbs. Each run of one adds its name and its call. */
function originOf({ host, session }: OpenOptions, surroundings: Surroundings, ids: Ids): Omit<Origin, "space"> {
  const named = session ?? surroundings.session ?? ids.next();
  const own = { host, session: redact(named.toWellFormed()).text, byAgent: !surroundings.attended };
  return { verb: "", call: "", ...own };
}

/** What hosts and their hooks write about sessions. */
const captureOf = (
  { key, root, checkout }: Repository,
  home: string,
  storeKey: StoreKey | null,
): Pick<World, "transcripts" | "spool"> => ({
  transcripts: createTranscripts({ ...hostFolders(), project: [...new Set([root, checkout])] }),
  spool: createSpool(() => spoolFolder(home, key), { key: storeKey }),
});

/** Everything that reads a project's files. Nothing is loaded before it is used. */
function corpusOf(
  { root, checkout, home }: Repository & { home: string },
  { index, notes }: Config,
  log: Log,
): Pick<World, "projectFiles" | "notes" | "parser" | "patterns" | "indexing"> {
  const options = { polling: index.watch === "polling", debounceMs: index.debounceMs, except: [home], log };
  // Editors keep deleted notes and their own data in hidden folders.
  const limits = { files: index.files, fileBytes: notes.fileBytes, excludes: [".*"] };
  const createNotes = (named: string) => {
    const { folder, within } = notesFolder(named, root);
    return createNoteFiles(folder, { ...options, limits, within });
  };
  return {
    projectFiles: createProjectFiles(checkout, options),
    notes: notes.folder === undefined ? null : createNotes(notes.folder),
    parser: createParser(),
    patterns: createPatternSearch(),
    indexing: { turns: new Map(), keepers: new Set(), isWanted: false },
  };
}

/** Closes each one even when an earlier one fails; then throws the first failure. */
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

export function projectFolder({ project, host }: OpenOptions, { cwd, hostProject }: Surroundings): string {
  const folder = resolve(project ?? (host === "mcp" ? hostProject : null) ?? cwd);
  if (isFolder(folder)) return folder;
  throw new Failure("invalid_input", `There is no folder ${folder}.`, "Name an existing folder as the project.");
}

/** Hooks have no time to load a model, and commands end too soon to offer one. */
function partOf({ host, serves, offerModel = serves }: OpenOptions): Part {
  if (host === "hook") return "borrow";
  return offerModel ? "offer" : "load";
}
