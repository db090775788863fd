/**
 * The surface: the few hundred tokens of memory that a session begins with.
 *
 * A category has a share of the tokens. Types without a category of their own belong to the nearest one; what is
 * absent here is never part of the surface.
 */
import type { MemoryType } from "../memory/memory.ts";
import type { Shelf } from "../memory/shelf.ts";

export const CATEGORIES = [
  "architecture",
  "decision",
  "pattern",
  "gotcha",
  "progress",
  "context",
  "code_description",
] as const;
export type Category = (typeof CATEGORIES)[number];

export const CATEGORY_OF_TYPE: Readonly<Partial<Record<MemoryType, Category>>> = {
  architecture: "architecture",
  decision: "decision",
  convention: "pattern",
  pattern: "pattern",
  bug_fix: "gotcha",
  gotcha: "gotcha",
  error: "gotcha",
  fact: "context",
  preference: "context",
  context: "context",
  documentation: "context",
  observation: "context",
  summary: "context",
  progress: "progress",
  code_description: "code_description",
};

/** The types of memories that may be part of it. */
export const SURFACE_TYPES = Object.keys(CATEGORY_OF_TYPE) as MemoryType[];

export interface SurfaceSettings {
  /** Lines are added until there are so many tokens. */
  readonly targetTokens: number;
  /** Never more than this. */
  readonly hardTokens: number;
  /** The part of the hard limit that the last sessions may take. */
  readonly recentShare: number;
  readonly lineCharacters: number;
  readonly maxLines: number;
}

/** An item on the surface. */
export interface SurfaceItem {
  id: string;
  shelf: Extract<Shelf, "memory" | "decision" | "proposal">;
  category: Category;
  rank: number;
}

/** A surface as it is kept. */
export interface KeptSurface {
  /** Empty outside git and on a detached head. */
  branch: string;
  text: string;
  tokens: number;
  items: SurfaceItem[];
  /** Of the last sessions: which, and what of them. */
  told: Record<"sources" | "files" | "notes", string[]>;
  madeAt: number;
  /** When something on it ends by the clock, or a day has passed. */
  freshUntil: number;
  /** The state of everything that it was made from. */
  madeFrom: string;
}

/** In one column, where there were only items once. */
export const packedItems = ({ items, told }: Pick<KeptSurface, "items" | "told">): string =>
  JSON.stringify({ items, told });

export function unpackedItems(column: string): Pick<KeptSurface, "items" | "told"> {
  const read = JSON.parse(column) as SurfaceItem[] | Pick<KeptSurface, "items" | "told">;
  return Array.isArray(read) ? { items: read, told: { sources: [], files: [], notes: [] } } : read;
}

/** One time that the surface was asked for. */
export interface SurfaceRun {
  at: number;
  branch: string;
  tokens: number;
  items: Partial<Record<Category, number>>;
  ms: number;
  isCached: boolean;
}

/** So many runs are kept. */
export const RUNS_KEPT = 50;
