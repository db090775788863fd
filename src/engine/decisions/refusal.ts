/** Error messages for a proposal that cannot be made, ratified or rejected. */
import { Failure } from "../../errors.ts";
import type { RatifyRefusal } from "../../logic/decisions/plan-ratify.ts";
import { handleOf } from "../../model/memory/handles.ts";
import { timeIn } from "../../model/time/day-shown.ts";
import type { Zone } from "../../model/time/zone.ts";

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
