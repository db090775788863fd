/**
 * Input as it was meant: values of another type that can be read only one way.
 *
 * Models write "5" for 5, "api" for a list of one, and null for nothing. Strict parsing comes first and says what does
 * not fit; only those values are read again.
 */
import type * as z from "zod";

type Issue = z.core.$ZodIssue;

export function asMeant(fields: Readonly<Record<string, unknown>>, issues: readonly Issue[]): Record<string, unknown> {
  const meant = { ...fields };
  for (const issue of issues) {
    if (issue.code !== "invalid_type") continue;
    const [field, index] = issue.path;
    if (field === undefined) continue;
    const name = String(field);
    const value = meant[name];
    if (index === undefined) meant[name] = reread(value, issue.expected);
    else if (Array.isArray(value))
      meant[name] = value.with(Number(index), reread(value[Number(index)], issue.expected));
  }
  return Object.fromEntries(Object.entries(meant).filter(([, value]) => value !== null));
}

function reread(value: unknown, expected: string): unknown {
  switch (expected) {
    case "number":
    case "int":
      return typeof value === "string" && NUMBER.test(value.trim()) ? Number(value) : value;
    case "boolean":
      return BOOLEANS.get(typeof value === "string" ? value.trim().toLowerCase() : value) ?? value;
    case "array":
      return typeof value === "string" || typeof value === "number" ? listIn(String(value)) : value;
    case "string":
      return typeof value === "number" || typeof value === "boolean" ? String(value) : value;
    default:
      return value;
  }
}

const NUMBER = /^-?\d+(?:\.\d+)?$/;
const BOOLEANS = new Map<unknown, boolean>([
  ["true", true],
  ["false", false],
]);
/** Words with commas between them; in anything longer a comma belongs to the text. */
const WORDS = /^[\w.-]+(?:\s*,\s*[\w.-]+)+$/;

function listIn(text: string): unknown[] {
  const trimmed = text.trim();
  if (trimmed === "") return [];
  if (trimmed.startsWith("[")) {
    const list = parsed(trimmed);
    if (Array.isArray(list)) return list;
  }
  return WORDS.test(trimmed) ? trimmed.split(/\s*,\s*/) : [text];
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
