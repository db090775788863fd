/** Content identity: equal meaning-free form, equal hash. White space at the ends and Unicode form do not count. */
import { hash } from "node:crypto";

export function contentHash(content: string): string {
  return hash("sha256", content.normalize("NFC").trim());
}

/** Of a memory that stands for a file, or for a piece of one: two files that say the same are two. */
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
