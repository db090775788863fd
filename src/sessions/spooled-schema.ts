/** The schema of a report in the spool, for whoever digests it. */
import * as z from "zod";
import { COMMIT_ID, HOOK_EVENTS, HOOK_HOSTS, type Spooled, SPOOLED_LIMITS } from "./session.ts";

const Name = z.string().max(SPOOLED_LIMITS.name);
const Path = z.string().max(SPOOLED_LIMITS.path);
const Text = z.string().max(SPOOLED_LIMITS.prompt);
/** The last moment that a date can have. */
const LATEST_MS = 8.64e15;

export const SpooledSchema: z.ZodType<Spooled> = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  event: z.enum(HOOK_EVENTS),
  host: z.enum(HOOK_HOSTS),
  session: Name.min(1),
  turn: Name.nullable(),
  at: z.int().min(0).max(LATEST_MS),
  cwd: Path,
  transcript: Path.nullable(),
  branch: Name.nullish(),
  commit: z.string().regex(COMMIT_ID).nullish(),
  tool: Name.nullable(),
  command: z.string().max(SPOOLED_LIMITS.command).nullable(),
  path: Path.nullable(),
  text: Text.nullable(),
});
