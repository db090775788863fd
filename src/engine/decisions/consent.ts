/**
 * Consent: whoever changes what holds is a person, whichever verb they use.
 *
 * A verb tells what it would do to decisions, the host asks, and the verb looks again when it
 * runs: consent is to what was asked and to nothing that came in between.
 */
import { hash } from "node:crypto";
import { Failure } from "../../errors.ts";
import type { Consent } from "../../model/decisions/question.ts";
import type { Item } from "../../model/memory/item.ts";
import type { ChangeRecord } from "../../model/journal/journal.ts";
import { isEdgeRecord } from "../../model/journal/journal.ts";
import type { World } from "../../ports/world.ts";

/** What a verb would do to decisions. */
export interface Touched {
  /** How many decisions. */
  count: number;
  /** The first of them. */
  told: Item[];
  /** What is touched where no decision itself is; relations between them when it is not said. */
  otherwise?: string;
  /** Stands for all of it; null when it touches nothing. */
  about: string | null;
}

const TOLD = 20;

export const mayGoUnasked = ({ settings }: Pick<World, "settings">): boolean =>
  settings.decisions.ratify === "unattended";

/** Throws unless a person agreed to exactly this, or nobody need be asked. */
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

/** The decisions in these records of the journal. One that was erased since counts all the same. */
export async function touchedIn(records: AsyncIterable<ChangeRecord>, purpose: readonly string[]): Promise<Touched> {
  const ids = new Set<string>();
  const told: Item[] = [];
  const entries: number[] = [];
  for await (const record of records) {
    entries.push(record.seq);
    if (isEdgeRecord(record) || ids.has(record.itemId)) continue;
    ids.add(record.itemId);
    const item = record.after.item ?? record.before.item;
    if (item && told.length < TOLD) told.push(item);
  }
  return { count: ids.size, told, about: entries.length > 0 ? fingerprint([purpose, entries]) : null };
}

export const firstOf = (items: readonly Item[]): Item[] => items.slice(0, TOLD);
