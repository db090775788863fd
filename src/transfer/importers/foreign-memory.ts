/**
 * What another tool remembers, in one form for all of them.
 *
 * A reader only says what a source contains; who wrote it, where it belongs and whether it is known is decided later,
 * for all tools alike.
 */
import type { Relation } from "../../graph/edges.ts";
import type { MemoryType } from "../../memory/item.ts";

export const FOREIGN_TOOLS = [
  "server-memory",
  "claude-mem",
  "agentmemory",
  "mem0",
  "basic-memory",
  "mcp-memory-service",
  "markdown",
] as const;
export type ForeignTool = (typeof FOREIGN_TOOLS)[number];

export interface ForeignMemory {
  /** Its name in the source: the same memory has the same one every time the source is read. */
  key: string;
  type: MemoryType;
  title: string | null;
  content: string;
  /** Searched and shown with it. */
  background: string | null;
  tags: readonly string[];
  /** Files it is about, as the source names them. */
  files: readonly string[];
  /** When it was learnt; null if the source does not say. */
  createdAt: number | null;
  expiresAt?: number;
  confidence?: number;
  priority?: number;
  session?: string;
  /** Why; only of a decision. */
  rationale?: string;
}

/** Between two memories of one source, by their keys. */
export interface ForeignLink {
  source: string;
  target: string;
  relation: Relation;
  strength: number;
}

/** Something that is not imported, and why; alike ones are counted together. */
export interface LeftOut {
  what: string;
  reason: string;
}

export interface ForeignReading {
  memories: ForeignMemory[];
  links: ForeignLink[];
  leftOut: LeftOut[];
}

/** A text file of a source. */
export interface ForeignFile {
  /** From the root of the project if it lies there, else from the folder that was named. */
  name: string;
  text: string;
}

/** A row of a table, or an object in a JSON file. Nothing about its values is known. */
export type ForeignRecord = Readonly<Record<string, unknown>>;

/** A table of a SQLite file, with the columns to read. Tables and columns that came with later versions may be absent. */
export interface ForeignTable {
  name: string;
  columns: readonly string[];
  later?: readonly string[];
  isLater?: true;
}

/** Rows by table. */
export type ForeignRows = ReadonlyMap<string, readonly ForeignRecord[]>;

/** What a reader makes of a source: the fault says what it is instead. */
export type Reading = ForeignReading | { fault: string };
