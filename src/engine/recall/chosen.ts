/** What a ranking has chosen to be shown, and how much of it is. */
import type { Fused } from "../../logic/recall/fusion.ts";
import type { Scope } from "../../model/memory/item.ts";
import type { Place } from "./gather.ts";

/** Longer contents are shown by their best passage; `get` has the whole. */
export const SHOWN_CHARACTERS = 2_000;

export interface Chosen {
  id: string;
  scope: Scope;
  place: Place;
  score: number;
  why: Fused["why"];
  /** The passage that matched, of this item or of one that it replaced. */
  passage: number;
  cosine: number | null;
}

export const byPlace = (chosen: readonly Chosen[]) => Map.groupBy(chosen, ({ place }) => place);
