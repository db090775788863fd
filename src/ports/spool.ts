/** What hooks reported of this project and nobody has digested yet. */
import type { Spooled } from "../model/capture/spooled.ts";

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
