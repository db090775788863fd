/**
 * The id of a foreign memory: always the same, so that it is recognised when it is imported again, whatever became of it
 * here in the meantime.
 *
 * It has the form of any other id. Its time is when the memory was learnt, if that is known, so that it sorts among them.
 */
import type { ForeignMemory, ForeignTool } from "../../../model/transfer/foreign-memory.ts";
import { contentHash } from "../../text/content-hash.ts";

const LATEST_MS = 2 ** 48 - 1;

export function foreignId(
  from: ForeignTool,
  { key, createdAt }: Pick<ForeignMemory, "key" | "createdAt">,
  space: string,
): string {
  const hex = contentHash(JSON.stringify([space, from, key]));
  const time = Math.min(LATEST_MS, Math.max(0, createdAt ?? 0))
    .toString(16)
    .padStart(12, "0");
  // Version 8 is for ids with a meaning of their own; the two bits of the variant are fixed.
  const variant = ((Number.parseInt(hex[3]!, 16) & 3) | 8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-8${hex.slice(0, 3)}-${variant}${hex.slice(4, 7)}-${hex.slice(7, 19)}`;
}
