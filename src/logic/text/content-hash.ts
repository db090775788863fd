/** Content identity: equal text has an equal hash. Surrounding white space and Unicode normalisation do not count. */
import { hash } from "node:crypto";

export function contentHash(content: string): string {
  return hash("sha256", content.normalize("NFC").trim());
}

/** For a memory that represents a file or a piece of one: two files with the same text are two memories. */
export const hashAt = (path: string, content: string): string => contentHash(`${path}\n${content}`);

export function isHashOf({
  hash: given,
  content,
  path,
}: {
  hash: string;
  content: string;
  path: string | null;
}): boolean {
  return given === contentHash(content) || (path !== null && given === hashAt(path, content));
}
