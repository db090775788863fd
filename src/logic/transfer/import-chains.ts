/**
 * Keeps decision chains intact during an import: no two decisions of a chain ever hold at once, and none leads back to
 * itself.
 *
 * Decisions imported together are checked together, because a file may have the new end of one decision before the
 * start of its successor.
 */
import { handleOf } from "../../model/memory/handles.ts";
import type { DecisionOutline } from "../../model/recall/search.ts";
import { type Decisions, replacements, successors, windowOf } from "../decisions/decision-chain.ts";

type Outlines = Decisions<DecisionOutline>;

/** Why some decisions cannot be imported, by id; without these, the others can. */
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

/** A decision with a wrong end or successor is at fault before the successor. */
function firstBroken(open: Outlines, standing: Outlines): { id: string; fault: string } | null {
  const replaced = replacements(standing);
  for (const item of open.values()) {
    const fault = faultAhead(item, standing);
    if (fault !== null) return { id: item.id, fault };
  }
  for (const item of open.values()) {
    const older = (replaced.get(item.id) ?? []).find((one) => isTooLong(one, item));
    if (older) return { id: item.id, fault: `would hold together with ${handleOf(older.id)}, which it replaces` };
  }
  return null;
}

function faultAhead(item: DecisionOutline, standing: Outlines): string | null {
  if (item.supersededBy === null) return null;
  const later = successors(item.id, standing);
  if ((later.at(-1) ?? item).supersededBy === item.id) return "would eventually replace itself";
  const [next] = later;
  return next && isTooLong(item, next) ? `would hold together with ${handleOf(next.id)}, which replaces it` : null;
}

/** Also if one of them was forgotten: its neighbours in the chain would hold at the same time. */
function isTooLong(older: DecisionOutline, newer: DecisionOutline): boolean {
  const { until } = windowOf(older);
  return until === null || until > windowOf(newer).from;
}
