/** Which captured memories a new one overtakes: it overturns them, or says all that they say. */
import type { Captured } from "../../model/capture/stretch.ts";
import type { Item } from "../../model/memory/item.ts";
import { tellingStems } from "../text/words.ts";
import { overturns, statementOf } from "./extractor/overturned.ts";
import { settles } from "./extractor/settled.ts";
import { part } from "./extractor/withdrawn.ts";

/** What another session left on the branch belongs to the same work for this long. */
export const SAME_WORK_MS = 24 * 60 * 60_000;
/** Of its words; more of them in a later memory, and that one says it again, and more. */
const REFINED = 0.8;
const LEAST_STEMS = 5;

export interface Overtaken {
  /** Whether a later memory has already overturned it. */
  isOvertaken: boolean;
  overtakes: Item[];
}

/**
 * Only what was captured is overtaken: what a person or an agent wrote is never replaced by a guess, nor is what the
 * person prefers.
 */
export function overtakenBy(
  { content, corrects, saidAt, session }: Pick<Captured, "content" | "corrects"> & { saidAt: number; session: string },
  others: readonly Item[],
): Overtaken {
  const own = statementOf(content, corrects);
  const captured = others.filter(
    ({ source, pinned, type }) => source === "extraction" && !pinned && type !== "preference",
  );
  // A session is read in order; several may be read in any.
  const isEarlier = (other: Item) => other.session === session || other.createdAt <= saidAt;
  return {
    isOvertaken: captured.some((other) => !isEarlier(other) && overturns(statementOf(other.content), own)),
    overtakes: captured.filter(
      (other) =>
        isEarlier(other) &&
        (overturns(own, statementOf(other.content)) ||
          settles(content, other.content) ||
          isRefined(content, other.content)),
    ),
  };
}

/** A number that is not repeated means another thing, such as the next migration, and not the same one told again. */
function isRefined(later: string, earlier: string): boolean {
  const [stems, retold] = [tellingStems(earlier), tellingStems(later)];
  const hasNumbers = [...stems].every((stem) => !/\d/.test(stem) || retold.has(stem));
  return stems.size >= LEAST_STEMS && hasNumbers && part(stems, retold) >= REFINED;
}
