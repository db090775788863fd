/**
 * Reads a line of an export, or reports what is wrong with it.
 *
 * A fault never quotes the line: naming a file one may not read reveals nothing, and no terminal shows what a file
 * planted.
 */
import { ExportLine, HeaderLine, type ItemLine } from "../../model/transfer/export-line.ts";
import { isHashOf } from "../text/content-hash.ts";
import { EXPORT_FORMAT } from "./export-encode.ts";

export type Decoded<T> = { line: T } | { fault: string };

export const NO_HEADER = "is not the header of a Stele export";

/** Deeper than anything we write; bounds every recursion through a line. */
const DEEPEST = 32;

export function decodeHeader(text: string): Decoded<null> {
  const parsed = parseJson(text);
  const header = "fault" in parsed ? null : HeaderLine.safeParse(parsed.line);
  if (!header?.success) return { fault: NO_HEADER };
  const { format } = header.data;
  if (format === EXPORT_FORMAT) return { line: null };
  return { fault: `has format ${format}, but this version of Stele reads format ${EXPORT_FORMAT}` };
}

export function decodeLine(text: string): Decoded<ExportLine> {
  const parsed = parseJson(text);
  if ("fault" in parsed) return parsed;
  const judged = ExportLine.safeParse(withPresentNames(parsed.line));
  if (!judged.success) return { fault: describe(judged.error.issues[0]!) };
  const line = judged.data;
  return line.line === "item" && !isHashRight(line)
    ? { fault: "has a hash that does not match its content" }
    : { line };
}

/** Development versions called the transaction of a journal entry its change set. */
function withPresentNames(line: unknown): unknown {
  if (typeof line !== "object" || line === null || !("changeSet" in line) || "transaction" in line) return line;
  const { changeSet: transaction, ...rest } = line;
  return { ...rest, transaction };
}

/** The hash of a document or of code is its file's, which may contain more than was stored. */
function isHashRight({ shelf, ...item }: ItemLine): boolean {
  return shelf === "document" || shelf === "code" || isHashOf(item);
}

/** Parses JSON and rejects values that would cause surprises later. */
export function parseJson(text: string): Decoded<unknown> {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return { fault: "is not JSON" };
  }
  const fault = faultIn(line, 0);
  return fault === null ? { line } : { fault };
}

function faultIn(value: unknown, depth: number): string | null {
  if (typeof value === "string") return faultInText(value);
  if (typeof value === "number") return Number.isFinite(value) ? null : "has a number that is too large";
  if (typeof value !== "object" || value === null) return null;
  if (depth === DEEPEST) return "is nested too deeply";
  if (Array.isArray(value)) return firstFault(value, (part) => faultIn(part, depth + 1));
  if (Object.hasOwn(value, "__proto__")) return "has a key that is not allowed";
  return firstFault(Object.entries(value), ([key, part]) => faultInText(key) ?? faultIn(part, depth + 1));
}

function firstFault<T>(parts: readonly T[], judge: (part: T) => string | null): string | null {
  for (const part of parts) {
    const fault = judge(part);
    if (fault !== null) return fault;
  }
  return null;
}

function faultInText(text: string): string | null {
  if (text.includes("\0")) return "contains a NUL byte, so it is not text";
  return text.isWellFormed() ? null : "contains a lone surrogate, so it is not valid Unicode";
}

interface Issue {
  code: string;
  path: readonly PropertyKey[];
  message: string;
}

/** Names the field, which is ours, never the value, which is the file's. */
function describe({ code, path, message }: Issue): string {
  const field = path.map(String).join(".");
  if (code === "unrecognized_keys") return field ? `has an unknown key in ${field}` : "has an unknown key";
  if (field === "") return "is not a line of an export";
  if (code === "invalid_union") return field === "line" ? "is of an unknown kind" : `has an unknown ${field}`;
  return `has a wrong ${field}: ${message}`;
}
