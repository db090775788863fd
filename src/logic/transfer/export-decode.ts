/**
 * Reads a line of an export, or reports what is wrong with it.
 *
 * A fault never quotes the line: naming a file one may not read reveals nothing, and no terminal shows what a file
 * planted.
 */
import { ExportLine, HeaderLine, type ItemLine } from "../../model/transfer/export-line.ts";
import { demandOf } from "../../model/text/demand.ts";
import { isHashOf } from "../text/content-hash.ts";
import { EXPORT_FORMAT } from "./export-encode.ts";

/** `next`: what to do about the fault, unless that is to correct the line. */
export type Decoded<T> = { line: T } | { fault: string; next?: string };

const ANOTHER_TOOL = "Name an export of Stele; if another tool wrote the file, name the tool with --from.";

/** Deeper than anything we write; bounds every recursion through a line. */
const DEEPEST = 32;

export function decodeHeader(text: string): Decoded<null> {
  const parsed = parseJson(text);
  const header = "fault" in parsed ? null : HeaderLine.safeParse(parsed.line);
  if (!header?.success) return { fault: "is not the header of a Stele export", next: ANOTHER_TOOL };
  const { format } = header.data;
  if (format === EXPORT_FORMAT) return { line: null };
  const next =
    format > EXPORT_FORMAT ? "Install a newer version of Stele here." : "Export again with a newer version of Stele.";
  return { fault: `has format ${format}, but this version of Stele reads format ${EXPORT_FORMAT}`, next };
}

export function decodeLine(text: string): Decoded<ExportLine> {
  const parsed = parseJson(text);
  if ("fault" in parsed) return parsed;
  const given = withPresentNames(parsed.line);
  const judged = ExportLine.safeParse(given);
  if (!judged.success) return { fault: describe(judged.error.issues[0]!, given) };
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

type Issue = Parameters<typeof demandOf>[0];

/** Names the field, which is ours, never the value, which is the file's. */
function describe(issue: Issue, line: unknown): string {
  const { code, path } = issue;
  const field = path.map(String).join(".");
  if (code === "unrecognized_keys") return field ? `has an unknown key in ${field}` : "has an unknown key";
  if (field === "") return "is not a line of an export";
  if (code === "invalid_union") return field === "line" ? "is of an unknown kind" : `has an unknown ${field}`;
  if (isMissing(path, line)) return `has no ${field}`;
  return `has a wrong ${field}: it ${demandOf(issue)}`;
}

function isMissing(path: readonly PropertyKey[], line: unknown): boolean {
  const value = path.reduce<unknown>((part, step) => (part as Record<PropertyKey, unknown> | undefined)?.[step], line);
  return value === undefined;
}
