/** Content identity: equal meaning-free form, equal hash. White space at the ends and Unicode form do not count. */
import { hash } from "node:crypto";

export function contentHash(content: string): string {
  return hash("sha256", content.normalize("NFC").trim());
}
