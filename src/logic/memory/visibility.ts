/**
 * Visibility: which global memories a project sees.
 *
 * Preferences belong to the person, and a memory that somebody made global was meant for every project. One that is
 * global only because of its type was learnt in one project and is shown in that one alone. The store has the same rule
 * as a filter.
 */
import type { Item } from "../../model/memory/item.ts";
import type { RoutingPreset } from "../../model/memory/routing.ts";

/** Whether only its type made it global. */
export const isGlobalByType = ({ scope, type, details }: Pick<Item, "scope" | "type" | "details">): boolean =>
  scope === "global" && type !== "preference" && details["routedBy"] === "type";

/** Undefined: nothing is restricted. */
export const isVisibleIn = (space: string | undefined, item: Pick<Item, "scope" | "type" | "details">): boolean =>
  space === undefined || !isGlobalByType(item) || (item.details["space"] ?? space) === space;

/** The space that restricts what is visible; undefined if nothing does. */
export const restrictingSpace = (preset: RoutingPreset, space: string): string | undefined =>
  preset === "seed" ? undefined : space;
