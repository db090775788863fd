/**
 * Visibility: which global memories a project sees.
 *
 * Preferences belong to the person, and a memory that somebody made global was meant for every project. One that is
 * global only because of its type was learnt in one project and is shown in that one alone. The store has the same rule
 * as a filter.
 */
import type { Item } from "./item.ts";
import type { RoutingPreset } from "./space.ts";

/** Whether only its type made it global. */
export const isGlobalByType = ({ scope, type, details }: Pick<Item, "scope" | "type" | "details">): boolean =>
  scope === "global" && type !== "preference" && details["routedBy"] === "type";

/** Undefined: nothing is restricted. */
export const isVisibleIn = (space: string | undefined, item: Pick<Item, "scope" | "type" | "details">): boolean =>
  space === undefined || !isGlobalByType(item) || (item.details["space"] ?? space) === space;

/** The space that restricts what is visible; undefined if nothing does. */
export const restrictingSpace = (preset: RoutingPreset, space: string): string | undefined =>
  preset === "seed" ? undefined : space;

// Whether a text may state its scope. Most do not, and are spared the phrases of seven languages, which take longer to
// load than everything else that `remember` needs.

/** Only the beginning is read: far into a long text, such a phrase is about a detail. */
export const readForScope = (text: string): string => text.slice(0, CHARACTERS_READ).normalize("NFC");

const CHARACTERS_READ = 2_000;
/** Every phrase contains one of these. */
const MAY_STATE_SCOPE =
  /proj|proye|repo|d[eé]p[oô]t|code ?bas|base de c|workspace|where|überall|egal|partout|onde|[\u3040-\u30ff\u3400-\u9fff]/iu;

export const mayStateScope = (text: string): boolean => MAY_STATE_SCOPE.test(readForScope(text));
