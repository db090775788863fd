/** Input fields of verbs that search or list. They are many, so verbs that only write do without them. */
import * as z from "zod";
import { readPeriod } from "../engine/time/read-time.ts";
import { MODES } from "../model/recall/ranking.ts";
import { Scope, Status } from "../model/memory/item.ts";
import { MemoryTypeInput } from "../model/memory/memory.ts";
import { shortText } from "../model/text/text.ts";
import type { Filter } from "../model/recall/search.ts";
import type { World } from "../ports/world.ts";
import { languages, tags, timeWords } from "./fields.ts";

export const ModeInput = z.enum([...MODES, "vector"]).transform((mode) => (mode === "vector" ? "semantic" : mode));

/** Fields common to all searches. */
export const searching = {
  limit: z.int().min(1).max(50).optional().describe("Maximum number of hits; the setting recall.limit when omitted."),
  mode: ModeInput.default("hybrid").describe("hybrid, keyword, or semantic (also called vector)."),
  threshold: z.number().min(0).max(1).default(0).describe("Minimum relevance; 0.35 drops guesses."),
};

/** The caller's limit, else the setting. */
export const limitOf = (limit: number | undefined, { settings }: Pick<World, "settings">): number =>
  limit ?? settings.recall.limit;

/** What several verbs filter by. */
export function period(what: string) {
  return {
    since: timeWords.optional().describe(`Only ${what} since then, such as yesterday, "3 days ago" or 2026-01-31.`),
    until: timeWords.optional().describe(`Only ${what} until then; a day or month counts to its end.`),
  };
}

export const filters = {
  type: z.array(MemoryTypeInput).optional().describe("Only these types."),
  tag: tags.optional().describe("Only items with all of these tags."),
  scope: z.array(Scope).optional().describe("Only these scopes; all three when omitted."),
  branch: shortText(250).optional().describe("Only items recorded on this git branch."),
  language: languages.optional().describe("Only items in these programming languages, such as typescript."),
  minPriority: z.int().min(1).max(10).optional().describe("Only this priority or higher."),
  ...period("items created"),
  status: z.array(Status).optional().describe("Only these statuses; current items when omitted."),
};

type FilterInput = { [K in keyof typeof filters]?: z.output<(typeof filters)[K]> };

const some = <T>(list: readonly T[] | undefined): readonly T[] | undefined => (list?.length ? list : undefined);

/** Only the filters given: an absent one must not overwrite a default, and an empty list counts as absent. */
export async function filterFrom(input: FilterInput, world: Pick<World, "clock" | "zone">): Promise<Partial<Filter>> {
  const parts: { [K in keyof Filter]?: Filter[K] | undefined } = {
    types: some(input.type),
    tags: some(input.tag),
    scopes: some(input.scope),
    statuses: some(input.status),
    branch: input.branch,
    languages: some(input.language),
    minimumPriority: input.minPriority,
    ...(await readPeriod(input, world)),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as Partial<Filter>;
}
