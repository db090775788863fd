/**
 * Decides what becomes of a foreign memory.
 *
 * What a person did here counts: a memory that they changed, archived or erased stays so. One that only the source
 * has changed follows the source.
 */
import type { Item } from "../../../model/memory/item.ts";

/** The mark, among the details of a memory, of where it came from and what it said there. */
export const IMPORTED = "imported";

export interface ForeignSituation {
  /** The memory that was imported from this one, wherever it is now. */
  present: Item | null;
  /** Another current one with the same content. */
  twin: Item | null;
  isErased: boolean;
}

export type ForeignVerdict =
  | { outcome: "inserted" }
  | { outcome: "updated"; present: Item }
  /** `id` is that of the memory here. */
  | { outcome: "unchanged" | "kept"; id: string }
  | { outcome: "erased" };

export function judgeForeign(hash: string, { present, twin, isErased }: ForeignSituation): ForeignVerdict {
  if (twin) return { outcome: "unchanged", id: twin.id };
  if (!present) return { outcome: isErased ? "erased" : "inserted" };
  const said = hashThen(present);
  if (hash === present.hash || hash === said) return { outcome: "unchanged", id: present.id };
  const isUntouched = present.hash === said && present.status === "active" && present.scope !== "working";
  return isUntouched ? { outcome: "updated", present } : { outcome: "kept", id: present.id };
}

/** The hash of its content when it was imported. */
function hashThen({ details }: Item): string | null {
  const mark = details[IMPORTED];
  return typeof mark === "object" && mark !== null && "hash" in mark ? String(mark.hash) : null;
}
