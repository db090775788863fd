/**
 * Makes the report that is spooled: private parts removed, secrets redacted, then cut and named.
 *
 * The hash of its content names it, so that a hook loaded twice is digested once.
 */
import { SPOOLED_BYTES, SPOOLED_LIMITS, type HookEvent, type Spooled } from "../../../model/capture/spooled.ts";
import { cut } from "../../../model/text/cut.ts";
import { REACH_CHARACTERS } from "../../redaction/grown-text.ts";
import { beginning, bothEnds } from "../../redaction/redact-and-cut.ts";
import { redactEach } from "../../redaction/redaction.ts";
import type { Observed } from "./read-hook.ts";
import { sha256 } from "../../text/sha256.ts";
import { storableText } from "../storable-text.ts";
import { withoutUnsaid } from "../unsaid-text.ts";

const ID_DIGITS = 32;
const MINUTE_MS = 60_000;

const { name, path, command } = SPOOLED_LIMITS;
const FIELDS = {
  session: name,
  turn: name,
  cwd: path,
  transcript: path,
  branch: name,
  tool: name,
  command,
  path,
} as const;
type Field = keyof typeof FIELDS;

export interface Circumstances {
  at: number;
  cwd: string;
  branch: string | null;
  commit: string | null;
  /** Null if there is no transcript. */
  transcriptBytes: number | null;
}

/** Null if nothing is left of a prompt. */
export function makeReport(
  observed: Observed,
  { at, cwd, branch, commit, transcriptBytes }: Circumstances,
): Spooled | null {
  const { event, host, toolUseId } = observed;
  const text = cleanText(event, observed.text);
  if (event === "prompt" && text === null) return null;
  const cleaned = cleanFields({ ...observed, cwd, branch });
  const { session, cwd: folder, ...rest } = cleaned;
  const facts = { event, host, session: session ?? "unknown", at, cwd: folder ?? "", ...rest, commit, text };
  return fitting({ id: idOf(facts, { toolUseId, transcriptBytes }), ...facts });
}

/** Nothing left of a field is null. */
function cleanFields(given: Readonly<Record<Field, string | null>>): Record<Field, string | null> {
  const fields = Object.keys(FIELDS) as Field[];
  const texts = fields.map((field) => said(given[field] ?? ""));
  const redacted = redactEach(texts.map((text) => (text.length > REACH_CHARACTERS ? "" : text)));
  const cleaned = fields.map((field, at) => {
    const isLong = texts[at]!.length > REACH_CHARACTERS;
    const text = isLong ? beginning(texts[at]!, FIELDS[field]) : cut(redacted[at]!, FIELDS[field]);
    return [field, text === "" ? null : text] as const;
  });
  return Object.fromEntries(cleaned) as Record<Field, string | null>;
}

/** Equal for the same event however often it is reported, and whichever host's settings the hook is in. */
function idOf(
  facts: Omit<Spooled, "id">,
  { toolUseId, transcriptBytes }: Pick<Observed, "toolUseId"> & Pick<Circumstances, "transcriptBytes">,
): string {
  const { event, session, turn, at, tool, command, path, text } = facts;
  // A tool that failed is one event, whether the host has a hook of its own for that or not.
  const kind = event === "failure" ? "tool" : event;
  // Without a turn, "yes" said again is told from the same event by how far the transcript has grown, or by the time.
  const moment = turn !== null ? null : transcriptBytes === null ? Math.floor(at / MINUTE_MS) : `${transcriptBytes} B`;
  const content = toolUseId ?? [tool, command, path, text, moment];
  return sha256(JSON.stringify([session, turn, kind, content])).slice(0, ID_DIGITS);
}

const LIMITS: Readonly<Record<HookEvent, number>> = {
  session_start: SPOOLED_LIMITS.name,
  prompt: SPOOLED_LIMITS.prompt,
  tool: SPOOLED_LIMITS.output,
  failure: SPOOLED_LIMITS.error,
  turn_end: SPOOLED_LIMITS.prompt,
  compaction: SPOOLED_LIMITS.prompt,
  session_end: SPOOLED_LIMITS.name,
};

function cleanText(event: HookEvent, text: string | null): string | null {
  const left = text === null ? "" : said(text).trim();
  const isPrinted = event === "tool" || event === "failure";
  const cleaned = isPrinted ? bothEnds(left, LIMITS[event]) : beginning(left, LIMITS[event]);
  return cleaned.trim() || null;
}

/** A NUL would end the text elsewhere, and could divide a secret. */
const said = (text: string): string => withoutUnsaid(storableText(text));

/** Letters beyond ASCII and control characters take several bytes, so a report may be too long for the spool after all. */
function fitting(report: Spooled): Spooled {
  let fits = report;
  for (let excess = bytesOf(fits) - SPOOLED_BYTES; excess > 0; excess = bytesOf(fits) - SPOOLED_BYTES) {
    const longest = SHORTENED.reduce((one, two) => (bytesOf(fits[two]) > bytesOf(fits[one]) ? two : one));
    const text = fits[longest] ?? "";
    fits = { ...fits, [longest]: cut(text, Math.floor(text.length / 2)) };
  }
  return fits;
}

/** What names the session, its folder and its transcript fits in any case, and would name another one if it were cut. */
const SHORTENED = ["text", "command", "path", "tool"] as const;
const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
