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
import { sha256 } from "./sha256.ts";
import { withoutUnsaid } from "../unsaid-text.ts";

const ID_DIGITS = 32;
const MINUTE_MS = 60_000;

const { name, path, command } = SPOOLED_LIMITS;
const FIELDS = { session: name, turn: name, cwd: path, transcript: path, tool: name, command, path } as const;
type Field = keyof typeof FIELDS;

/** Null if nothing is left of a prompt. */
export function makeReport(observed: Observed, { at, cwd }: { at: number; cwd: string }): Spooled | null {
  const { event, host, toolUseId } = observed;
  const text = cleanText(event, observed.text);
  if (event === "prompt" && text === null) return null;
  const cleaned = cleanFields({ ...observed, cwd });
  const { session, cwd: folder, ...rest } = cleaned;
  const facts = { event, host, session: session ?? "unknown", at, cwd: folder ?? "", ...rest, text };
  return fitting({ id: idOf(facts, toolUseId), ...facts });
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
function idOf(facts: Omit<Spooled, "id">, toolUseId: string | null): string {
  const { event, session, turn, at, tool, command, path, text } = facts;
  // A tool that failed is one event, whether the host has a hook of its own for that or not.
  const kind = event === "failure" ? "tool" : event;
  // Without a turn, "yes" said again or a session resumed again is told from the same event only by the time.
  const minute = turn === null ? Math.floor(at / MINUTE_MS) : null;
  const content = toolUseId ?? [tool, command, path, text, minute];
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
const said = (text: string): string => withoutUnsaid(text.toWellFormed().replaceAll("\0", ""));

/** Letters beyond ASCII take several bytes, so a text may be too long for the spool after all. */
function fitting(report: Spooled): Spooled {
  let fits = report;
  while (Buffer.byteLength(JSON.stringify(fits)) > SPOOLED_BYTES && fits.text !== null && fits.text !== "") {
    fits = { ...fits, text: cut(fits.text, Math.floor(fits.text.length / 2)) || null };
  }
  return fits;
}
