/** Reads and writes files that a person names. */
import type { Connection, HostId } from "./agents/connection.ts";
import type {
  Chunk,
  CorpusShelf,
  FileText,
  FormerBytes,
  Indexed,
  OnlyNotes,
  ParsedFile,
  SkippedFile,
  Walk,
  WalkLimits,
} from "./files/corpus.ts";
import type { Origin } from "./journal/change.ts";
import type { Backup, StoreName } from "./maintenance/backup.ts";
import type { Spooled, TranscriptHost, TypedPrompt } from "./sessions/session.ts";
import type { Store } from "./store/store.ts";
import type { ForeignRows, ForeignTable, ForeignTool, LeftOut } from "./transfer/importers/foreign-memory.ts";

/** A file written under a temporary name, not yet moved into place. */
export interface Draft {
  readonly lines: number;
  readonly bytes: number;
  /** Moves it into place. Replaces an earlier file, unless it must be new: then one that somebody else wrote stays. */
  keep(as?: { isNew: boolean }): Promise<void>;
  drop(): Promise<void>;
}

/** What the bytes of a file pass on their way from the disk. */
type Through = (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>;

export interface LineLimits {
  lineBytes: number;
  fileBytes: number;
  through?: Through;
}

export type FileKind = "file" | "folder" | "absent" | "link" | "other";

/** Text files that a person names. Relative paths start at the working folder. */
export interface Files {
  /** The absolute path. */
  resolve(path: string): string;
  /** Links are not followed, because others may control where they lead. */
  kindOf(path: string): Promise<FileKind>;
  /** The same with size and modification time, without opening it. Anything unreadable is "other". */
  look(path: string): Promise<{ kind: FileKind; bytes: number; modifiedAt: number }>;
  beginsWith(path: string, text: string): Promise<boolean>;
  /** The entries of a folder, by name. */
  names(path: string): Promise<string[]>;
  /** A whole file. Refuses text that is not UTF-8 or too large. */
  text(path: string, limits: { fileBytes: number }): Promise<string>;
  /** Lines without line ends. Refuses text that is not UTF-8, overlong lines, and an unterminated last line. */
  lines(path: string, limits: LineLimits): AsyncIterable<string>;
  /** Writes a private file and creates the folders it needs. */
  draft(path: string, lines: AsyncIterable<string>): Promise<Draft>;
  /** Adds a line to the end of a file, in one write; creates it, and the folders it needs. */
  append(path: string, line: string): Promise<void>;
  remove(path: string): Promise<void>;
}

// Backups and the stores of other projects: an erasure must reach those too.

/** Options of every operation on backups. */
interface BackupOptions {
  /** Checks and describes everything without writing. */
  dryRun?: boolean;
}

/** Backups of both stores, taken while they are in use. */
export interface Backups {
  /** The folder of one backup. */
  pathOf(id: string): string;
  take(reason: Backup["reason"], options?: BackupOptions): Promise<{ backup: Backup; dropped: string[] }>;
  /** This project's backups, newest first. */
  list(): Promise<Backup[]>;
  /** Checks the copies, keeps the current data as another backup, then replaces it with the copies. */
  restore(id: string, stores: readonly StoreName[], options?: BackupOptions): Promise<{ replaced: Backup }>;
  /** Whether a backup of any project holds anything of these items. */
  mentions(ids: readonly string[]): Promise<boolean>;
  /** Erases items from every backup; returns the files that could not be cleaned. */
  erase(ids: readonly string[], queries: readonly string[], options?: BackupOptions): Promise<string[]>;
  /** How many copies in backups of any project were not gone over by these rules for secrets. */
  countUnredacted(rules: string): Promise<number>;
  /**
   * Does this work in every copy of every backup; it says whether it changed anything. Returns the files that could not
   * be worked on. A dry run opens none.
   */
  rewrite(work: (copy: Store, store: StoreName) => Promise<boolean>, options?: BackupOptions): Promise<string[]>;
}

/** The stores of the user's other projects. */
export interface OtherSpaces {
  mention(ids: readonly string[]): Promise<boolean>;
  /** Erases items from each store; returns the files that could not be cleaned. */
  erase(ids: readonly string[], queries: readonly string[], origin: Origin): Promise<string[]>;
}

/** Turns text into vectors and wordpieces. */
export interface Embedder {
  /**
   * Identifies weights, graph and text preparation. Vectors of different identities never mix. Known before loading.
   */
  readonly identity: string;
  readonly dimensions: number;
  /** "absent": can never embed (provider none, native runtime missing). */
  state(): "cold" | "loading" | "ready" | "absent";
  /** Starts loading; resolves when ready; rejects with Failure("unavailable") when loading fails. Idempotent. */
  load(): Promise<void>;
  /** Unit vectors, in the order of the texts. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/**
 * Embeds elsewhere, beside the local embedder, and only if the person's own settings name it. Vectors of passages and
 * questions may be made in different ways but are comparable.
 */
export interface RemoteEmbedder extends Embedder {
  embedQuestion(text: string): Promise<Float32Array>;
}

export interface Tokenizer {
  /** Wordpiece ids of each text, without markers. */
  encode(texts: readonly string[]): Promise<Uint16Array[]>;
}

/** Stores of other tools, which are only read. */
export interface TableLimits {
  fileBytes: number;
  /** Of all tables together. */
  rows: number;
  /** A row with a larger value is left out. */
  valueBytes: number;
}

export interface ForeignStores {
  /** Where each tool keeps its memories unless it is told otherwise, the likeliest first; absolute paths. */
  readonly places: Readonly<Record<ForeignTool, readonly string[]>>;
  /**
   * Reads tables of a SQLite file, as of one moment. The file is neither changed nor locked, and nothing is written
   * beside it. Refuses a file that is damaged, is no database or lacks these tables.
   */
  tables(
    path: string,
    tables: readonly ForeignTable[],
    limits: TableLimits,
  ): Promise<{ rows: ForeignRows; leftOut: LeftOut[] }>;
}

/** The configuration files of hosts, and what we keep about those we changed. */
export interface HostFile {
  /** The file itself, behind any link. */
  target: string;
  /** Null if there is none. */
  text: string | null;
  /** Folders to make before it can be written, outermost first. */
  folders: string[];
}

export interface HostFiles {
  /** Fails if it is no readable text file. `within`: links may not lead out of this folder. */
  read(path: string, within: string | null): HostFile;
  /** Replaces the whole file at once, unless it is no longer as expected. */
  write(file: HostFile, text: string): void;
  /** Removes the file unless it is no longer as expected, then those of the folders that are empty. */
  remove(file: HostFile, folders: readonly string[]): void;
  isThere(path: string): boolean;
  /** Whether the system finds a program of this name. */
  isOnPath(program: string): boolean;
}

export interface ConnectRecords {
  read(host: HostId, project: string | null): Connection | null;
  /** `texts`: what was in the files before, by the name of the copy. */
  write(connection: Connection, texts: ReadonlyMap<string, string>): void;
  /** Null if the copy is gone. */
  backup(connection: Connection, name: string): string | null;
  drop(connection: Connection): void;
}

// Indexing state: the runs and file watchers by which this process keeps the index current.
//
// All verbs of a process share one instance, as long as the world is open. Nothing of it is stored.

/** Null if another process is indexing, or this one is about to exit. */
export type IndexRun = Promise<Indexed | null>;

export interface IndexTurns {
  underWay: IndexRun | null;
  /** Starts after the run under way. */
  next: IndexRun | null;
}

/** Keeps the index current by watching files. */
export interface IndexKeeper {
  readonly only: OnlyNotes;
  isWatching(): boolean;
  /** Whether all reported changes have been indexed. */
  isCurrent(): Promise<boolean>;
  stop(): void;
}

export interface Indexing {
  /** Runs over the notes alone are separate. */
  readonly turns: Map<OnlyNotes, IndexTurns>;
  readonly keepers: Set<IndexKeeper>;
  /** Whether somebody wants the project's files indexed, though they never were. */
  isWanted: boolean;
}

/** The system's keyring, which keeps small texts for one user. It fails with `unavailable` where it is locked or there is none. */
export interface Keyring {
  /** Null if it holds nothing of this name. */
  read(name: string): Promise<string | null>;
  write(name: string, text: string): Promise<void>;
  /** Whether there was something to remove. */
  remove(name: string): Promise<boolean>;
}

/** A language model somewhere else, which only the person's own settings can name. */
export interface Llm {
  /** Provider and model; null if none is set, and then nothing is ever sent. */
  readonly identity: string | null;
  /**
   * Rejects with a Failure that holds neither the key nor anything of the request. Whether the text fits the schema is
   * for the caller to check.
   */
  complete(request: LlmRequest, attempts: Attempts): Promise<LlmReply>;
}

/** Hears of every attempt to send a request, because each may be charged. */
export interface Attempts {
  /** Before each one; nothing is sent if this rejects. */
  begin(): Promise<void>;
  /** The last one is certainly not charged: nobody was reached, or it was refused. */
  costNothing(): void;
}

export interface LlmRequest {
  system: string;
  prompt: string;
  /** JSON schema of the reply. */
  schema: object;
  /** Of the reply. */
  maxTokens: number;
}

/** The tokens are those of the attempt that was answered. */
export interface LlmReply {
  text: string;
  inputTokens: number;
  outputTokens: number;
}

// Splits a project's files into passages.

/** The input of a parser: one file, already decoded. */
export interface SourceText {
  path: string;
  text: string;
  shelf: CorpusShelf;
  /** The default of the settings when omitted. */
  chunk?: Chunk;
}

/** Splits files into passages and finds their symbols, off the caller's thread. */
export interface Parser {
  /** Never rejects because of a file: an unparsable one is returned as plain passages with a `fault`. */
  parse(file: SourceText): Promise<ParsedFile>;
  close(): Promise<void>;
}

// Searches texts for a regular expression.

/** A line that matches a pattern; `text` is shortened. */
export interface FoundLine {
  id: string;
  line: number;
  text: string;
}

export interface PatternOptions {
  /** Maximum number of lines in all. */
  limit: number;
  /** Maximum number of lines per text. */
  limitPerText?: number;
  /** A pattern may take forever; after this time the lines found so far are returned. */
  limitMs: number;
}

/** Searches texts for a regular expression without ever blocking the caller. */
export interface PatternSearch {
  /** Rejects with `invalid_input` for an invalid pattern. `ended` says why the search stopped early. */
  search(
    pattern: string,
    texts: AsyncIterable<readonly { id: string; text: string }[]>,
    options: PatternOptions,
  ): Promise<{ lines: FoundLine[]; ended: "time" | "limit" | null }>;
}

/** Reads and watches the files of a project, and a person's notes. */
export interface Watching {
  /** Whether it notices changes at once and has reported all of them. */
  isQuiet(): boolean;
  close(): Promise<void>;
}

/** The files of a project that are worth reading. A hostile file can harm only its own result. */
export interface ProjectFiles {
  walk(limits: WalkLimits): Promise<Walk>;
  /** Why a walk would skip this path, or null; decided by names and ignore files, not by content. */
  leftOut(path: string, limits: Pick<WalkLimits, "excludes">): Promise<string | null>;
  /** Never reads outside the project, whatever the path. */
  read(path: string, limitBytes: number, since?: FormerBytes): Promise<FileText | SkippedFile>;
  /** Reports that something has changed, once per burst. */
  watch(limits: WalkLimits, onChange: () => void): Promise<Watching>;
}

/** The user's own notes, by full paths. Nothing is ever written there. */
export interface NoteFiles {
  /** With forward slashes, without a trailing one. */
  readonly folder: string;
  walk(): Promise<Walk>;
  read(path: string): Promise<FileText | SkippedFile>;
  watch(onChange: () => void): Promise<Watching>;
}

// Opens the encrypted exports that earlier versions wrote.

/** An export, and what may open it beside the keys that are at hand. */
export interface SealedSource {
  readonly path: string;
  readonly keyFile: string | null;
  readonly passphraseFile: string | null;
}

export interface Sealing {
  /**
   * Nobody is asked before the first bytes are read. What is not encrypted passes as it is, unless a key or passphrase is named for it. Without the right one it fails
   * with `locked`.
   */
  open(source: SealedSource): Through;
}

/** What hooks reported of this project and nobody has digested yet. */
export interface SpoolState {
  files: number;
  bytes: number;
  /** While paused, hooks report nothing. */
  isPaused: boolean;
  /** While the person may only read what a team shares, hooks report nothing either. */
  isReader: boolean;
  /** While full, new reports are dropped. */
  isFull: boolean;
}

export interface Pause {
  from: number;
  to: number | null;
}

export interface Spool {
  /** Names of reports, oldest first; reports of the same moment by id. */
  list(limit: number): Promise<string[]>;
  /** Null if it is gone, or unreadable: such a file is moved aside and not listed again. */
  read(name: string): Promise<Spooled | null>;
  remove(name: string): Promise<void>;
  state(): Promise<SpoolState>;
  /** The same as in its state, without a look at the reports. */
  isReader(): Promise<boolean>;
  pause(at: number): Promise<void>;
  resume(at: number): Promise<void>;
  /** When recording was paused, the latest last; the end of the current pause is null. */
  pauses(): Promise<readonly Pause[]>;
}

/** Transcripts that hosts write of their sessions. */
export interface TranscriptPart {
  /** Complete lines; an unfinished last line is left for another time. In a final file one without a line end is complete if it parses. */
  lines: string[];
  /** Bytes from the beginning of the file to the end of these lines. */
  offset: number;
  /** Lines too long to be read. */
  skipped: number;
  /** Nothing complete follows. */
  isEnd: boolean;
  /** Of the bytes just before the part, and just before its end: whether the file is still the same. */
  marks: { start: string; end: string };
}

export interface TranscriptFile {
  path: string;
  host: TranscriptHost;
  bytes: number;
  modifiedAt: number;
}

/** A transcript of a session in another folder than the project's, by its own words. */
export interface StrayTranscript {
  transcript: string;
  folder: string;
}

export interface Transcripts {
  /** Null if there is no such file or it cannot be read. */
  find(path: string): Promise<Pick<TranscriptFile, "path" | "bytes" | "modifiedAt"> | null>;
  /**
   * About `limitBytes` of lines from an offset; at least one line if there is one. Null if the file ends before the
   * offset: it is another one. Final: nothing more is expected to be written.
   */
  read(path: string, offset: number, limitBytes: number, file?: { isFinal: boolean }): Promise<TranscriptPart | null>;
  /** What the host noted of prompts of this session that something was pasted into; empty where it notes nothing. */
  typedIn(path: string, session: string): Promise<TypedPrompt[]>;
  /** Whether the session that it records was in this project, by its own words. */
  isOwn(path: string): Promise<boolean>;
  /** Null if the session was in this project, or does not say where. */
  strayOf(path: string): Promise<StrayTranscript | null>;
  /** Those that lie in a host's own folder for this project. */
  strays(limit: number): Promise<StrayTranscript[]>;
  /** Those of sessions in this project, newest first. */
  ofProject(limit: number): Promise<TranscriptFile[]>;
}
