/** Content identity: equal text has an equal hash. Surrounding white space and Unicode normalisation do not count. */
import { hash } from "node:crypto";
import { sha256 } from "./sha256.ts";

/** Longer texts take longer to hash in plain code than `node:crypto` takes to load. */
const LONG_CHARACTERS = 1_000;

export function contentHash(content: string): string {
  const text = content.normalize("NFC").trim();
  return text.length < LONG_CHARACTERS ? sha256(text) : hash("sha256", text);
}

/**
 * For a memory that represents a file or a piece of one: two files with the same text are two memories. By its id, for an
 * item that says the same as another only since it was redacted. By its time, for a turn of a session: a person says "yes" in many.
 */
export const hashAt = (path: string, content: string): string => contentHash(`${path}\n${content}`);

export function isHashOf({
  id,
  hash: given,
  content,
  path,
  createdAt,
}: {
  id: string;
  hash: string;
  content: string;
  path: string | null;
  createdAt: number;
}): boolean {
  const places = [path, id, String(createdAt)];
  return given === contentHash(content) || places.some((at) => at !== null && given === hashAt(at, content));
}

/**
 * An id that is always the same for the same thing, so that it is recognised whatever became of it in the meantime.
 *
 * It has the form of any other id. Its time is when the thing came to be, if that is known, so that it sorts among them.
 */
const LATEST_MS = 2 ** 48 - 1;

export function derivedId(of: readonly string[], createdAt: number | null): string {
  const hex = contentHash(JSON.stringify(of));
  const time = Math.min(LATEST_MS, Math.max(0, createdAt ?? 0))
    .toString(16)
    .padStart(12, "0");
  // Version 8 is for ids with a meaning of their own; the two bits of the variant are fixed.
  const variant = ((Number.parseInt(hex[3]!, 16) & 3) | 8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-8${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}
