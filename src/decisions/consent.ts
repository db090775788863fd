/**
 * Consent: only a person may change decisions, whichever verb is used.
 *
 * A verb reports its effect on decisions, the host asks, and the verb computes the effect again
 * when it runs: consent covers exactly what was asked, not what changed in between.
 */
import { hash } from "node:crypto";
import type { Consent } from "../catalog/question.ts";
import { Failure } from "../errors.ts";
import type { Origin } from "../journal/change.ts";
import { type ChangeRecord, isEdgeRecord } from "../journal/journal.ts";
import { handleOf } from "../memory/handles.ts";
import type { Item } from "../memory/item.ts";
import type { Zone } from "../time/calendar.ts";
import { timeIn } from "../time/shown.ts";
import type { World } from "../world.ts";
import type { RatifyRefusal } from "./ratify-rules.ts";

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

/** Error messages for a proposal that cannot be made, ratified or rejected. */
const LOOK = "`stele proposals` lists pending proposals.";

export function refusalFailure(refusal: RatifyRefusal, asked: string, zone: Zone): Failure {
  switch (refusal.why) {
    case "unknown proposal":
      return new Failure("not_found", `There is no proposal ${asked}.`, LOOK);
    case "settled":
      return new Failure("conflict", settledMessage(refusal), LOOK);
    case "no subject":
      return new Failure(
        "invalid_input",
        "A decision needs a subject.",
        "Say in a word or two what it is about, with `--subject`.",
      );
    case "no decision":
      return new Failure("invalid_input", "The decision is empty.", "Say what was decided.");
    case "no reason":
      return new Failure("invalid_input", "A rejection needs a reason.", "Say why, in case it is proposed again.");
    case "unknown decision":
      return new Failure(
        "not_found",
        `There is no decision ${handleOf(refusal.id)} to supersede.`,
        "Look for it by its subject.",
      );
    case "nothing to relate to":
      return new Failure(
        "not_found",
        `There is no decision ${handleOf(refusal.id)} to relate to.`,
        "Look for it by its subject.",
      );
    case "not ratified":
      return new Failure(
        "conflict",
        `${handleOf(refusal.id)} is ${settled(refusal.status)}, so it cannot be superseded.`,
        refusal.status === "pending" ? "Settle that proposal first." : "Remove it from `supersedes`.",
      );
    default:
      return chainFailure(refusal, zone);
  }
}

function chainFailure(fault: Exclude<RatifyRefusal, { why: "unknown proposal" }>, zone: Zone): Failure {
  switch (fault.why) {
    case "empty window":
      return new Failure(
        "invalid_input",
        `It would end at ${timeIn(fault.window.until!, zone)}, before it begins at ${timeIn(fault.window.from, zone)}.`,
        "Choose a later end or an earlier start.",
      );
    case "cycle":
      return new Failure(
        "conflict",
        `These would supersede each other: ${fault.ids.map(handleOf).join(", ")}.`,
        "Remove one of these from `supersedes`.",
      );
    case "already superseded":
      return new Failure(
        "conflict",
        `${handleOf(fault.id)} is already superseded by ${handleOf(fault.by)}.`,
        `Supersede ${handleOf(fault.by)} instead.`,
      );
    case "forgotten":
      return new Failure("conflict", `Decision ${handleOf(fault.id)} was forgotten.`, "Remove it from `supersedes`.");
    case "overlap":
      return new Failure(
        "conflict",
        `Decision ${handleOf(fault.id)} would hold at the same time: it begins at ${timeIn(fault.window.from, zone)}.`,
        "Set `validFrom` so that this one takes effect later.",
      );
    default:
      return new Failure("conflict", `This is not possible: ${fault.why}.`, LOOK);
  }
}

/** A decision and its still pending proposal may coexist if both were imported. */
function settledMessage({ id, status }: Extract<RatifyRefusal, { why: "settled" }>): string {
  return status === "pending"
    ? `Decision ${handleOf(id)} already holds.`
    : `Proposal ${handleOf(id)} is already ${status}.`;
}

const settled = (status: string) => (status === "pending" ? "still pending" : status);
