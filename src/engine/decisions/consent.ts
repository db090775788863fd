/**
 * Consent: only a person may change decisions, whichever verb is used.
 *
 * A verb reports its effect on decisions, the host asks, and the verb computes the effect again
 * when it runs: consent covers exactly what was asked, not what changed in between.
 */
import { hash } from "node:crypto";
import { Failure } from "../../errors.ts";
import type { Consent } from "../../model/decisions/question.ts";
import type { Origin } from "../../model/journal/change.ts";
import type { Item } from "../../model/memory/item.ts";
import type { ChangeRecord } from "../../model/journal/journal.ts";
import { isEdgeRecord } from "../../model/journal/journal.ts";
import type { World } from "../../ports/world.ts";

/** What a verb would do to decisions. */
export interface Touched {
  /** Number of decisions. */
  count: number;
  /** The first of them, to be shown. */
  shown: Item[];
  /** What is affected if no decision itself is; edges between decisions when omitted. */
  otherwise?: string;
  /** A fingerprint of the effect; null if there is none. */
  about: string | null;
}

const SHOWN = 20;

export const mayGoUnasked = ({ settings }: Pick<World, "settings">): boolean =>
  settings.decisions.ratify === "unattended";

/** Whether an agent, or a program where nobody is, asks for it: through MCP, or in a shell of its own. */
export const isForAgent = ({ host, byAgent = false }: Pick<Origin, "host" | "byAgent">): boolean =>
  host === "mcp" || byAgent;

/** Throws unless a person agreed to exactly this, or nobody needs to be asked. */
export function needConsent(
  { about }: Pick<Touched, "about">,
  consent: Consent | null,
  world: Pick<World, "settings">,
): void {
  const isFree = about === null || (consent === null && mayGoUnasked(world));
  if (isFree || consent?.about === about) return;
  throw new Failure(
    "conflict",
    "The effect on decisions changed in the meantime; nothing was changed.",
    "Check the current state, then try again.",
  );
}

export const fingerprint = (value: unknown): string => hash("sha256", JSON.stringify(value));

/** The decisions in these journal records, including those erased since. */
export async function touchedIn(records: AsyncIterable<ChangeRecord>, purpose: readonly string[]): Promise<Touched> {
  const ids = new Set<string>();
  const shown: Item[] = [];
  const entries: number[] = [];
  for await (const record of records) {
    entries.push(record.seq);
    if (isEdgeRecord(record) || ids.has(record.itemId)) continue;
    ids.add(record.itemId);
    const item = record.after.item ?? record.before.item;
    if (item && shown.length < SHOWN) shown.push(item);
  }
  return { count: ids.size, shown, about: entries.length > 0 ? fingerprint([purpose, entries]) : null };
}

export const firstOf = (items: readonly Item[]): Item[] => items.slice(0, SHOWN);
