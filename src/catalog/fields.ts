/** Input fields that several verbs share, so that a flag means the same everywhere. Those of searches are elsewhere. */
import * as z from "zod";
import { handleOf } from "../memory/handles.ts";
import { MemoryTypeInput, PRIORITY_OF_WEIGHT, Scope, Status } from "../memory/item.ts";
import { MODES } from "../recall/ranking.ts";
import type { Filter } from "../recall/search.ts";
import { redactor } from "../redaction/redact.ts";
import { lineText, shortText } from "../text/text.ts";
import { readPeriod } from "../time/read-time.ts";
import type { World } from "../world.ts";

/** An id as people type it: in full, a handle, or a unique prefix of either. */
export const typedId = shortText(100);

export const id = typedId.describe("Id or handle of the memory.");

/** For whoever shows items to a person: what is only displayed must not keep a memory from fading. */
export const quiet = z.boolean().default(false).describe("Only look: it does not count as read.");

const TAGS_MOST = 50;
const TAG_CHARACTERS = 100;
/** A tag is a word or a few, so a comma always separates two: `--tags deploy,ops`. */
const withoutCommas = (list: readonly string[]): string[] => [
  ...new Set(list.flatMap((text) => text.split(",").flatMap((part) => part.trim() || []))),
];

export const tags = z
  .array(lineText(2_000))
  .max(TAGS_MOST)
  .transform(withoutCommas)
  .refine(
    (list) => list.length <= TAGS_MOST && list.every((tag) => tag.length <= TAG_CHARACTERS),
    `must be at most ${TAGS_MOST} tags of at most ${TAG_CHARACTERS} characters`,
  );

/** The circumstances of a memory: searched and shown with it, but not part of its content. */
export const background = shortText(2_000);

/** Languages are known by lower-case names. */
export const language = lineText(50).transform((text) => text.toLowerCase());

/** Several of them; no language has a comma in its name. */
export const languages = z.array(language).transform(withoutCommas);

// Date.parse alone accepts "foo 1" as a day in 2001.
const MOMENT = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** A time as people say it, resolved by their clock and zone; see `src/time/`. */
export const timeWords = lineText(100);

/** A moment: an ISO date or time; a date is local. */
export const moment = z
  .string()
  .max(40)
  .refine(
    (text) => MOMENT.test(text) && !Number.isNaN(Date.parse(text)),
    "must be a date or time such as 2026-01-31 or 2026-01-31T09:00:00Z",
  );

/** A session's name; it is stored with every item, so secrets are removed from it too. */
export const session = lineText(200).transform((text) => redactor().clean(text));

/** Only priority is advertised; `catalog/other-names.ts` names the other two. */
export const priorities = {
  priority: z.int().min(1).max(10).optional().describe("1 (low) to 10 (high); a new memory has 5 when omitted."),
  importance: z.int().min(1).max(10).optional().describe("Same as priority."),
  weight: z.int().min(1).max(5).optional().describe("Priority on a scale of 1 to 5."),
};

/** The stored priority, from whichever of the three fields was given. */
export function priorityFrom(input: {
  priority?: number | undefined;
  importance?: number | undefined;
  weight?: number | undefined;
}): number | undefined {
  const fromWeight =
    input.weight === undefined ? undefined : PRIORITY_OF_WEIGHT[input.weight as keyof typeof PRIORITY_OF_WEIGHT];
  return input.priority ?? input.importance ?? fromWeight;
}

/** The call id; every verb that changes something returns it, so that `rollback` can undo it. */
export const Call = z
  .string()
  .nullable()
  .describe("Pass it to `rollback` to undo this. Null if nothing was journaled.");

export const callOf = (isOnRecord: boolean, { origin }: Pick<World, "origin">): string | null =>
  (isOnRecord && origin.call) || null;

export const renderUndo = (call: string | null | undefined): string =>
  call ? ` Undo with \`stele rollback ${handleOf(call)}\`.` : "";

export const Redactions = z
  .array(z.object({ rule: z.string(), count: z.int() }))
  .describe("Secrets removed, by rule; never their values.");

export function renderRedactions(redactions: z.infer<typeof Redactions>): string {
  if (redactions.length === 0) return "";
  const parts = redactions.map(({ rule, count }) => (count > 1 ? `${rule} ×${count}` : rule));
  return `\nRedacted: ${parts.join(", ")}.`;
}

/** Input fields of verbs that search or list. They are many, so verbs that only write do without them. */
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
