/** What is planned for one configuration file. */
import type { Undo } from "../../model/connect/connection.ts";

export type Planned = Change | Refused;

export interface Change {
  /** The new text; the old one if nothing changes. */
  text: string | null;
  /** How many entries are added. */
  added: number;
  /** Paths in entries of ours that lead to another installation, and are replaced. */
  stale: string[];
  /** Data folders in entries of ours that are replaced; "" where none was named. */
  homes: string[];
  undo: Undo;
}

export interface Refused {
  refused: string;
  hint: string;
}

export const refused = (message: string, hint: string): Refused => ({ refused: message, hint });
export const isRefused = (planned: Planned): planned is Refused => "refused" in planned;
