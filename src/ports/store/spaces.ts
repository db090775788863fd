/** The registry of spaces: which project has which memory. */
import type { Space } from "../../model/memory/space.ts";

export interface SpaceReads {
  spaces(): Promise<Space[]>;
}
