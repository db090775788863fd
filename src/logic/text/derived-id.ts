/**
 * An id that is always the same for the same thing, so that it is recognised whatever became of it in the meantime.
 *
 * It has the form of any other id. Its time is when the thing came to be, if that is known, so that it sorts among them.
 */
import { contentHash } from "./content-hash.ts";

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
