/** Input fields that several verbs share, so that a flag means the same everywhere. Those of searches are elsewhere. */
import * as z from "zod";
import { redactor } from "../engine/redaction/redact.ts";
import { handleOf } from "../model/memory/handle.ts";
import { PRIORITY_OF_WEIGHT } from "../model/memory/memory.ts";
import { lineText, shortText } from "../model/text/text.ts";
import type { World } from "../ports/world.ts";

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

/** A time as people say it, resolved by their clock and zone; see `engine/time/`. */
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

/** Only priority is advertised; `operations/other-names.ts` names the other two. */
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
