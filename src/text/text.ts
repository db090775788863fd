/**
 * Text: what may enter the store.
 *
 * All client input is hostile. NUL bytes, broken surrogates and binary data are refused at the edge, because later they
 * would corrupt the index and the journal.
 */
import * as z from "zod";
import { counted, isUnseen } from "./short-text.ts";

export const TEXT_LIMIT_BYTES = 1_048_576;
const TOO_LARGE = "is larger than 1,048,576 bytes";
const CONTROL_SHARE_LIMIT = 0.1;

/** Why a text cannot be stored, or null. */
export function textFault(text: string): string | null {
  if (isUnseen(text)) return "is empty";
  if (Buffer.byteLength(text) > TEXT_LIMIT_BYTES) return TOO_LARGE;
  if (text.includes("\0")) return "contains a NUL byte, so it is not text";
  if (!text.isWellFormed()) return "contains a lone surrogate, so it is not valid Unicode";
  // Control characters other than tab, newline, form feed, return and the escape of coloured output; undecodable bytes.
  const controls = text.match(/[\u0001-\u0008\u000b\u000e-\u001a\u001c-\u001f\u007f-\u009f\ufffd]/g)?.length ?? 0;
  if (controls > text.length * CONTROL_SHARE_LIMIT) return "looks like binary data";
  return null;
}

/** All checks at once: each call of a schema's method would copy it, and there are dozens of them to load. */
const checked = (...checks: Parameters<z.ZodString["check"]>): z.ZodString =>
  z.string().check(z.minLength(1), ...checks, (context) => {
    const fault = textFault(context.value);
    if (fault) context.issues.push({ code: "custom", message: fault, input: context.value });
  });

/** Text of any length up to the limit. */
export const Text = checked();

/** One line: a title or tag with a line break could be mistaken for something else where it is shown. */
export const lineText = (maximum: number) =>
  checked(z.maxLength(maximum), z.regex(/^[^\n\r\u2028\u2029]*$/, "must be one line"));

/** One or a few lines: queries, paths. */
export const shortText = (maximum: number) => checked(z.maxLength(maximum));

/** What a schema demands of a value, as the rest of a sentence about it. The value itself is never repeated: it may be private. */
const KINDS: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

export function demandOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(", ")}`;
    case "too_big":
      return atMost(issue.origin, issue.maximum, issue.inclusive !== false);
    case "too_small":
      return atLeast(issue.origin, issue.minimum, issue.inclusive !== false);
    case "invalid_format":
      // A pattern carries its own message.
      return issue.format === "regex" ? issue.message : `must be a valid ${issue.format}`;
    default:
      return issue.message;
  }
}

function atMost(origin: string, maximum: number | bigint, inclusive: boolean): string {
  if (origin === "string") return `must have at most ${counted(Number(maximum), "character")}`;
  if (origin === "array") return `must have at most ${counted(Number(maximum), "entry", "entries")}`;
  return `must be ${inclusive ? "at most" : "less than"} ${maximum}`;
}

function atLeast(origin: string, minimum: number | bigint, inclusive: boolean): string {
  const empty = minimum === 1 && inclusive;
  if (origin === "string")
    return empty ? "must not be empty" : `must have at least ${counted(Number(minimum), "character")}`;
  if (origin === "array")
    return empty ? "must not be empty" : `must have at least ${counted(Number(minimum), "entry", "entries")}`;
  return `must be ${inclusive ? "at least" : "more than"} ${minimum}`;
}
