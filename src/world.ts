/**
 * The world: everything the engine needs from outside, one port each.
 *
 * Ports are asynchronous, so that a networked store fits as well as a file. A port is an
 * interface plus a conformance suite that every adapter passes. A function takes the part it needs.
 */
import type { SurfaceSettings } from "./briefing/surface-lines.ts";
import type { DocumentRule, WalkLimits } from "./files/corpus.ts";
import type { Origin } from "./journal/change.ts";
import type { DecayRules } from "./maintenance/figures.ts";
import type { Item } from "./memory/item.ts";
import type { RoutingPreset } from "./memory/space.ts";
import type {
  Backups,
  Embedder,
  Files,
  ForeignStores,
  Indexing,
  Llm,
  NoteFiles,
  OtherSpaces,
  Parser,
  PatternSearch,
  ProjectFiles,
  RemoteEmbedder,
  Sealing,
  Spool,
  Tokenizer,
  Transcripts,
} from "./ports.ts";
import type { RecipeName } from "./recall/ranking.ts";
import type { LlmProvider } from "./remote/provider.ts";
import type { Store } from "./store/store.ts";
import type { Zone } from "./time/calendar.ts";

export interface World {
  readonly project: Store;
  readonly global: Store;
  readonly place: Place;
  readonly embedder: Embedder;
  /** Null unless the person's own settings name one. */
  readonly remoteEmbedder: RemoteEmbedder | null;
  readonly llm: Llm;
  readonly tokenizer: Tokenizer;
  readonly clock: Clock;
  /** In which the person means "today". */
  readonly zone: Zone;
  readonly ids: Ids;
  readonly log: Log;
  readonly progress: Progress;
  readonly indexing: Indexing;
  readonly afterwards: Afterwards;
  /** What a person was last shown as near each proposal. */
  readonly shownNear: Map<string, ShownNear>;
  readonly files: Files;
  readonly transcripts: Transcripts;
  readonly projectFiles: ProjectFiles;
  /** Null when no notes folder is set. */
  readonly notes: NoteFiles | null;
  readonly parser: Parser;
  readonly patterns: PatternSearch;
  readonly foreign: ForeignStores;
  readonly backups: Backups;
  /** Whether the stores are encrypted; whoever writes what they hold elsewhere says that it is not. */
  readonly isEncrypted: boolean;
  readonly sealing: Sealing;
  readonly otherSpaces: OtherSpaces;
  readonly spool: Spool;
  readonly settings: Settings;
  readonly origin: Origin;
}

/** The project's store and the global one. */
export type Stores = Pick<World, "project" | "global">;

/** Needed to find a current item, and to suggest only visible ones. */
export type LookupWorld = Stores & Pick<World, "clock" | "place" | "settings">;

/** Needed to change an item in either store. */
export type ReviseWorld = LookupWorld & Pick<World, "tokenizer" | "log" | "origin">;

/** Needed to create an item of the project and write it. */
export type DraftWorld = Pick<World, "project" | "place" | "tokenizer" | "clock" | "ids" | "log" | "origin">;

export interface Clock {
  now(): number;
}

export interface Ids {
  next(): string;
}

export interface Log {
  debug(message: string): void;
  warn(message: string): void;
}

/** Shows a person the progress of long work. */
export interface Progress {
  report(done: number, total: number, what: string): void;
}

/** Work done after the answer: it delays nobody, and its failure is logged, not thrown. */
export interface Afterwards {
  add(what: string, work: () => Promise<unknown>): void;
  settle(): Promise<void>;
  /** Whether `settle` is waiting, as before the process exits: long work then stops early. */
  isSettling(): boolean;
}

/** The project being worked on. */
export interface Place {
  readonly root: string;
  /** The folder of the files; in a worktree, the worktree's own. */
  readonly checkout: string;
  readonly spaceId: string;
  /** What somebody should know about this project; it counts as a reason why answers may be degraded. */
  readonly notices?: readonly string[];
  /** Git's list of ignored files that belongs to this clone alone; null outside git. */
  readonly excludeFile: string | null;
  /** The branch checked out now, read from git's files; null outside git or on a detached head. */
  branch(): string | null;
  /** The newest commit of what is checked out, read from git's small files alone; null where there is none. */
  commit(): string | null;
  /** What `git log` lists of what is checked out, read from git's objects. */
  commits(query: CommitQuery): Promise<CommitHistory>;
}

export interface CommitQuery {
  /** Only what this commit does not reach; null for no such limit. */
  after: string | null;
  /** Without that commit, or if it is gone: only what was committed at or after this time. */
  since: number;
  /** How many commits are told. */
  limit: number;
  /** Of how many of them the files are read. */
  filesOf?: number;
  /** How many commits may be read to find them. */
  most: number;
}

export interface CommitHistory {
  /** Newest first. */
  commits: Commit[];
  /** Of those found, including those not told. */
  total: number;
  /** Whether there were more to read, so that not all was found. */
  isCut: boolean;
  /** Why some may be missing. */
  degraded: string | null;
}

/** A commit of the repository. Its texts are anyone's. */
export interface Commit {
  id: string;
  /** When it was committed; milliseconds. */
  at: number;
  subject: string;
  body: string;
  author: string;
  /** What it changed, by path; null if that was not asked or cannot be read. */
  files: string[] | null;
}

/** How much a context window holds. */
interface ContextLimits {
  readonly working: number;
  readonly relevant: number;
  readonly patterns: number;
  readonly suggestions: number;
  readonly budgetTokens: number;
}

/** The part of the configuration that verbs depend on. */
export interface Settings {
  readonly evidence: { readonly archiveDays: number };
  readonly decay: DecayRules;
  readonly retention: {
    readonly accessDays: number;
    readonly journalDays: number;
  };
  readonly capture: {
    /** Of all projects; `pause` is for one. */
    readonly enabled: "on" | "off";
    /** Up to this size transcripts are kept as evidence. */
    readonly evidenceMegabytes: number;
    readonly eventDays: number;
  };
  readonly backup: {
    /** Whether a server makes one by itself. */
    readonly daily: "on" | "off";
    readonly keep: number;
    readonly keepDays: number;
    readonly megabytes: number;
  };
  readonly decisions: {
    /** unattended: if nobody can be asked, a decision is ratified anyway. */
    readonly ratify: "asked" | "unattended";
  };
  readonly routing: {
    /** Decides which types of memories are global, and whether projects see each other's. */
    readonly preset: RoutingPreset;
  };
  readonly llm: {
    readonly provider: LlmProvider | "none";
    readonly model?: string | undefined;
    /** Caps on what a session and a day may use, in and out. */
    readonly sessionTokens: number;
    readonly dayTokens: number;
    /** Prices of a million tokens. */
    readonly inputPrice?: number | undefined;
    readonly outputPrice?: number | undefined;
  };
  readonly remember: {
    /** How long an answer waits for the comparison with older memories. */
    readonly compareMs: number;
  };
  readonly context: ContextLimits & {
    /** Whether a prompt may bring a line that asks the agent to keep what was settled. */
    readonly nudges: "on" | "off";
  };
  readonly working: { readonly ttlSeconds: number; readonly capacity: number };
  readonly recall: {
    readonly recipe: RecipeName;
    readonly vectorWeight: number;
    readonly keywordWeight: number;
    readonly rrfDamping: number;
    /** Default number of hits of a search. */
    readonly limit: number;
    /** Whether hits show what they replaced. */
    readonly history: "on" | "off";
    readonly rrfEntityWeight: number;
    readonly rrfTemporalWeight: number;
    readonly validityWindowDays: number;
    readonly drainPassages: number;
    readonly modelWaitMs: number;
  };
  readonly index: WalkLimits & {
    /** How long a search trusts the last check of all files. */
    readonly freshMs: number;
    /** How long a search waits for the index to become current. */
    readonly waitMs: number;
    /** How a long-lived process notices changes. */
    readonly watch: "events" | "polling" | "off";
    readonly code: "on" | "off";
    readonly chunkLines: number;
    readonly chunkOverlap: number;
  };
  readonly surface: SurfaceSettings;
  readonly labels: { readonly rules: readonly DocumentRule[] };
}

/** The decisions that a person was shown with a proposal. */
export interface ShownNear {
  at: number;
  /** What was compared, and what was near by its words alone. */
  about: string;
  found: readonly { item: Item; nearness: number }[];
}
