/** Stores of other tools, which are only read. */
import type { ForeignRows, ForeignTable, ForeignTool, LeftOut } from "../model/transfer/foreign-memory.ts";

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
