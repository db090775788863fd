/**
 * A world of real parts on temporary files, with a clock that stands still until it is moved.
 *
 * Ids are seeded, the embedder hashes words, and nothing of ours is imitated. Two worlds on
 * one folder are two processes as far as the stores can tell.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { DEFAULTS } from "../src/app/config-defaults.ts";
import { createHashEmbedder } from "../src/embed/embedders.ts";
import { createTokenizer } from "../src/embed/minilm/tokenizer.ts";
import { createSealing } from "../src/encryption/sealing.ts";
import { createFiles } from "../src/files/disk/named-files.ts";
import { createNoteFiles, createProjectFiles } from "../src/files/disk/project-files.ts";
import { createPatternSearch } from "../src/files/disk/regex-search.ts";
import { createParser } from "../src/files/parse/pool.ts";
import { createAfterwards } from "../src/machine/background.ts";
import { createIds } from "../src/machine/ids.ts";
import type { Item } from "../src/memory/item.ts";
import { remember, type RememberAnswer, type RememberRequest } from "../src/memory/remember.ts";
import type { Shelf } from "../src/memory/shelves.ts";
import type { Embedder, Llm, RemoteEmbedder } from "../src/ports.ts";
import type { RecallAnswer, RecallRequest } from "../src/recall/places.ts";
import { recall } from "../src/recall/recall.ts";
import { NO_LLM } from "../src/remote/remote-llm.ts";
import { createSpool } from "../src/sessions/inbox.ts";
import { createTranscripts } from "../src/sessions/transcript-files.ts";
import { createBackups } from "../src/store/sqlite/backup/backups.ts";
import { createForeignStores } from "../src/store/sqlite/foreign-stores.ts";
import { createOtherSpaces } from "../src/store/sqlite/other-spaces.ts";
import type { Store } from "../src/store/store.ts";
import { UTC, type Zone } from "../src/time/calendar.ts";
import { FOREIGN_TOOLS, type ForeignTool } from "../src/transfer/importers/foreign-memory.ts";
import type { Settings, World } from "../src/world.ts";
import { freshStore } from "./store/fresh-store.ts";

export interface TestWorld extends World {
  /** The project lies in it, under that name. */
  folder: string;
  clock: { time: number; now(): number };
  /** Everything that was logged as a warning. */
  warnings: string[];
}

export interface TestWorldOptions {
  folder?: string;
  embedder?: Embedder;
  remoteEmbedder?: RemoteEmbedder;
  llm?: Llm;
  zone?: Zone;
  session?: string;
  branch?: string;
  /** A folder of notes. */
  notes?: string;
  /** How long the stores wait for a file that another process holds. */
  patienceMs?: number;
  decisions?: Partial<Settings["decisions"]>;
  evidence?: Partial<Settings["evidence"]>;
  index?: Partial<Settings["index"]>;
  working?: Partial<Settings["working"]>;
  routing?: Partial<Settings["routing"]>;
  recall?: Partial<Settings["recall"]>;
  caps?: Partial<Settings["llm"]>;
}

/** What a person would not wait for, a test on a busy machine does. */
const LONG_MS = 600_000;
const NOTE_LIMITS = { files: 1_000, fileBytes: 100_000, excludes: [] };

const tokenizer = createTokenizer();
let worlds = 0;

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "stele-engine-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Bytes that look random and are the same every time. */
function seededBytes(seed: number): (size: number) => Uint8Array {
  let state = seed * 2_654_435_761;
  return (size) => Uint8Array.from({ length: size }, () => (state = (state * 1_103_515_245 + 12_345) >>> 0) >>> 16);
}

/** One for all worlds of a process: grammars take their time to load. */
const parser = createParser({ threads: 1, idleMs: LONG_MS });
after(() => parser.close());

/** The runner keeps every hook until the end of the process, so this one lets go of its stores. */
function closeAfterwards(stores: Store[]): void {
  after(() => Promise.all(stores.splice(0).map((store) => store.close())));
}

export async function testWorld(options: TestWorldOptions = {}): Promise<TestWorld> {
  const { folder = temporaryFolder(), session = "session" } = options;
  const clock = { time: Date.UTC(2026, 0, 15), now: () => clock.time };
  const warnings: string[] = [];
  const spaces = join(folder, "spaces");
  mkdirSync(spaces, { recursive: true });
  const log = { debug: () => undefined, warn: (message: string) => void warnings.push(message) };
  const patience = options.patienceMs === undefined ? {} : { patienceMs: options.patienceMs };
  const open = (kind: "project" | "global") =>
    freshStore({ path: join(folder, `${kind}.db`), kind, clock, ...patience });
  const [project, global] = [await open("project"), await open("global")];
  closeAfterwards([project, global]);
  worlds += 1;
  return {
    folder,
    project,
    global,
    place: {
      root: "/project",
      checkout: "/project",
      spaceId: "space",
      excludeFile: "/project/.git/info/exclude",
      branch: () => options.branch ?? "main",
      commit: () => null,
      commits: async () => ({ commits: [], total: 0, isCut: false, degraded: null }),
    },
    embedder: options.embedder ?? createHashEmbedder(),
    remoteEmbedder: options.remoteEmbedder ?? null,
    llm: options.llm ?? NO_LLM,
    tokenizer,
    clock,
    zone: options.zone ?? UTC,
    ids: createIds(clock, seededBytes(worlds)),
    log,
    warnings,
    progress: { report: () => undefined },
    // Not before it is settled: what a test sees must not depend on how long it takes.
    afterwards: createAfterwards(log, LONG_MS),
    shownNear: new Map(),
    indexing: { turns: new Map(), keepers: new Set(), isWanted: false },
    files: createFiles(folder),
    transcripts: createTranscripts({
      claude: join(folder, "claude"),
      codex: join(folder, "codex"),
      project: ["/project"],
    }),
    projectFiles: createProjectFiles(join(folder, "project"), { polling: false, log }),
    notes: options.notes ? createNoteFiles(options.notes, { polling: false, log, limits: NOTE_LIMITS }) : null,
    parser,
    patterns: createPatternSearch(),
    otherSpaces: createOtherSpaces({
      folder: spaces,
      except: join(folder, "project.db"),
      clock,
    }),
    spool: createSpool(() => join(folder, "spool", "0123456789abcdef0123456789abcdef")),
    // Never the real ones of whoever runs the tests.
    foreign: createForeignStores(
      Object.fromEntries(FOREIGN_TOOLS.map((tool) => [tool, [join(folder, "default", tool)]])) as Record<
        ForeignTool,
        string[]
      >,
    ),
    backups: createBackups({
      folder: join(folder, "backups"),
      files: { project: join(folder, "project.db"), global: join(folder, "global.db") },
      keep: 5,
      clock,
    }),
    settings: settingsWith(options),
    isEncrypted: false,
    sealing: createSealing({ key: null, keysFolder: join(folder, "keys") }),
    origin: { verb: "test", host: "test", session, call: "call", space: "space" },
  };
}

function settingsWith({
  decisions,
  evidence,
  index,
  working,
  routing,
  recall: recalling,
  caps,
}: TestWorldOptions): Settings {
  return {
    ...DEFAULTS,
    llm: { ...DEFAULTS.llm, ...caps },
    routing: { ...DEFAULTS.routing, ...routing },
    decisions: { ...DEFAULTS.decisions, ...decisions },
    evidence: { ...DEFAULTS.evidence, ...evidence },
    index: { ...DEFAULTS.index, waitMs: LONG_MS, ...index },
    remember: { compareMs: LONG_MS },
    working: { ...DEFAULTS.working, ...working },
    recall: { ...DEFAULTS.recall, modelWaitMs: LONG_MS, ...recalling },
  };
}

/** Another project of the same person: its own store, the same home. */
export async function neighbourOf(world: TestWorld, options: TestWorldOptions = {}): Promise<TestWorld> {
  const other = await testWorld(options);
  return {
    ...other,
    global: world.global,
    clock: world.clock,
    place: { ...other.place, spaceId: "neighbour" },
    origin: { ...other.origin, space: "neighbour" },
  };
}

/** Remembers a project fact unless told otherwise. */
export function keep(world: World, content: string, set: Partial<RememberRequest> = {}): Promise<RememberAnswer> {
  const plain: RememberRequest = { content, type: "fact", tags: [], priority: 5, pinned: false, context: {} };
  return remember({ ...plain, ...set }, world);
}

export function ask(world: World, query: string, set: Partial<RecallRequest> = {}): Promise<RecallAnswer> {
  return recall({ query, mode: "hybrid", limit: 10, threshold: 0, ...set }, world);
}

export async function itemIn(
  world: World,
  id: string,
  { scope = "project", shelf = "memory" }: { scope?: "project" | "global"; shelf?: Shelf } = {},
): Promise<Item | undefined> {
  return (await world[scope].items(shelf, [id]))[0];
}

/** An embedder that counts what it is asked for. */
export function countingEmbedder(): Embedder & { texts: string[] } {
  const embedder = createHashEmbedder();
  const texts: string[] = [];
  return {
    ...embedder,
    texts,
    embed(asked) {
      texts.push(...asked);
      return embedder.embed(asked);
    },
  };
}
