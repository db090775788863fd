/** What hooks reported of this project and nobody has digested yet. */
import type { Spooled } from "../model/capture/spooled.ts";

export interface SpoolState {
  files: number;
  bytes: number;
  /** While paused, hooks report nothing. */
  isPaused: boolean;
  /** While full, new reports are dropped. */
  isFull: boolean;
}

export interface Spool {
  /** Names of reports, oldest first; reports of the same moment by id. */
  list(limit: number): Promise<string[]>;
  /** Null if it is gone, or unreadable: such a file is moved aside and not listed again. */
  read(name: string): Promise<Spooled | null>;
  remove(name: string): Promise<void>;
  state(): Promise<SpoolState>;
  pause(): Promise<void>;
  resume(): Promise<void>;
}
