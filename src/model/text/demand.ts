/** What a schema demands of a value, as the rest of a sentence about it. The value itself is never repeated: it may be private. */
import type * as z from "zod";
import { counted } from "./count.ts";

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
