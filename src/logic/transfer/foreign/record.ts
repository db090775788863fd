/**
 * Reads the values of foreign records.
 *
 * Nothing about them is known, not even that a field is the record's own: a file may contain the key `__proto__`. A value
 * of another kind counts as absent.
 */
import type { ForeignRecord } from "../../../model/transfer/foreign-memory.ts";

export function isRecord(value: unknown): value is ForeignRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export const recordsIn = (value: unknown): ForeignRecord[] => (Array.isArray(value) ? value.filter(isRecord) : []);

export const valueIn = (record: ForeignRecord, field: string): unknown =>
  Object.hasOwn(record, field) ? record[field] : undefined;

/** The first of these fields that is text; null if none is, or it is blank. */
export function textIn(record: ForeignRecord, ...fields: readonly string[]): string | null {
  for (const field of fields) {
    const value = valueIn(record, field);
    if (typeof value === "string" && value.trim() !== "") return value.trim();
  }
  return null;
}

export function numberIn(record: ForeignRecord, field: string): number | null {
  const value = valueIn(record, field);
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** A list of texts: as such, as JSON, or with commas between them. */
export function textsIn(record: ForeignRecord, ...fields: readonly string[]): string[] {
  return fields.flatMap((field) => textsOf(valueIn(record, field)));
}

function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) {
    return value.filter((one) => typeof one === "string" && one.trim() !== "").map((one: string) => one.trim());
  }
  if (typeof value !== "string") return [];
  const list = value.trimStart().startsWith("[") ? parsedJson(value) : undefined;
  if (Array.isArray(list)) return textsOf(list);
  return textsOf(value.split(","));
}

/** A field that is a record, or one written as JSON. */
export function recordIn(record: ForeignRecord, field: string): ForeignRecord {
  const value = valueIn(record, field);
  const read = typeof value === "string" ? parsedJson(value) : value;
  return isRecord(read) ? read : {};
}

/** Undefined if it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Numbers up to this are seconds since 1970, larger ones milliseconds: as milliseconds it would still be January 1973. */
const MOST_SECONDS = 1e11;

/** A moment written as ISO 8601, or in seconds or milliseconds since 1970. */
export function momentIn(record: ForeignRecord, ...fields: readonly string[]): number | null {
  for (const field of fields) {
    const value = valueIn(record, field);
    const at = typeof value === "number" ? (value <= MOST_SECONDS ? value * 1000 : value) : momentOf(value);
    if (Number.isFinite(at) && at > 0) return Math.round(at);
  }
  return null;
}

/** Words that `Date.parse` takes for a date, such as "draft 1", are none. */
const momentOf = (value: unknown): number =>
  typeof value === "string" && /^\d{4}-\d{2}-\d{2}/.test(value.trim()) ? Date.parse(value.trim()) : NaN;
