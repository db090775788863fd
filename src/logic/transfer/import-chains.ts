/**
 * Chains stay whole when decisions are imported: no two of a chain ever hold together, and none leads back to itself.
 *
 * What comes in together is judged as it would stand together, because a file may tell the new end of one decision
 * before the start of what replaces it.
 */
import type { DecisionOutline } from "../../model/recall/search.ts";
import { type Decisions, replacements, successors, windowOf } from "../decisions/decision-chain.ts";

type Outlines = Decisions<DecisionOutline>;

/** Why some decisions cannot come in, by their ids; without these, the others can. */
export function brokenChains(incoming: readonly DecisionOutline[], here: Outlines): Map<string, string> {
  const faults = new Map<string, string>();
  const open = new Map(incoming.map((item) => [item.id, item]));
  for (;;) {
    const broken = firstBroken(open, new Map([...here, ...open]));
    if (!broken) return faults;
    faults.set(broken.id, broken.fault);
    open.delete(broken.id);
  }
}

/** Whoever says when it ends and what follows is at fault before whoever follows. */
function firstBroken(open: Outlines, standing: Outlines): { id: string; fault: string } | null {
  const replaced = replacements(standing);
  for (const item of open.values()) {
    const fault = faultAhead(item, standing);
    if (fault !== null) return { id: item.id, fault };
  }
  for (const item of open.values()) {
    const older = (replaced.get(item.id) ?? []).find((one) => isTooLong(one, item));
    if (older) return { id: item.id, fault: `would hold together with ${older.id}, which it replaces` };
  }
  return null;
}

function faultAhead(item: DecisionOutline, standing: Outlines): string | null {
  if (item.supersededBy === null) return null;
  const later = successors(item.id, standing);
  if ((later.at(-1) ?? item).supersededBy === item.id) return "would be replaced by itself in the end";
  const [next] = later;
  return next && isTooLong(item, next) ? `would hold together with ${next.id}, which replaces it` : null;
}

/** Even where one of them was forgotten: whoever comes before and after it would hold together. */
function isTooLong(older: DecisionOutline, newer: DecisionOutline): boolean {
  const { until } = windowOf(older);
  return until === null || until > windowOf(newer).from;
}
