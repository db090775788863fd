/** The key on a recovery sheet that somebody typed. */
import { Failure } from "../../errors.ts";
import { readSheet } from "../../logic/care/recovery-sheet.ts";
import { storeKeyOf } from "../../logic/care/store-key.ts";
import type { StoreKey } from "../../model/care/store-key.ts";

export function keyOnSheet(typed: string): StoreKey {
  const hex = readSheet(typed);
  if (typeof hex === "string") return storeKeyOf(Buffer.from(hex, "hex"));
  const what = hex === 0 ? "It must have eight groups of ten digits." : `Group ${hex} is mistyped.`;
  throw new Failure("invalid_input", `The recovery sheet cannot be read: ${what}`, "Compare it and type it again.");
}
