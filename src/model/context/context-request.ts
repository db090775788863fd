/** What a hook asks for on behalf of a session: memory to hand over after one of its events. */
import type { Spooled } from "../capture/spooled.ts";

/** As in the report of the event: `text` is how the session started, the prompt, or what a failed tool printed. */
export interface ContextRequest extends Pick<Spooled, "id" | "host" | "session" | "text" | "transcript"> {
  event: Extract<Spooled["event"], "session_start" | "prompt" | "failure">;
  /** A folder of the project. */
  project: string;
}
