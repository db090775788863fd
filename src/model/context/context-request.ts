/** What a hook asks for on behalf of a session: memory to hand over after one of its events. */
import type { Spooled } from "../capture/spooled.ts";

/** As in the report of the event: `text` is how the session started, or the prompt. */
export interface ContextRequest extends Pick<Spooled, "id" | "host" | "session" | "text"> {
  event: Extract<Spooled["event"], "session_start" | "prompt">;
  /** A folder of the project. */
  project: string;
}
