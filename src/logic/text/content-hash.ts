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
