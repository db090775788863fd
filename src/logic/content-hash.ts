/** Content identity: equal meaning-free form, equal hash. White space at the ends and Unicode form do not count. */
import { createHash } from "node:crypto";

export function contentHash(content: string): string {
  return createHash("sha256").update(content.normalize("NFC").trim()).digest("hex");
}
