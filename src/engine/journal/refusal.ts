/** Turns the reason why a rollback is refused into an error message. */
import { Failure } from "../../errors.ts";
import type { Refusal } from "../../logic/journal/plan-rollback.ts";
import { handleOf } from "../../model/memory/handles.ts";

export function refused(refusal: Refusal): Failure {
  if (refusal.why === "loose end") {
    return conflict(
      `The edge \`${refusal.edge}\` cannot be restored, because ${handleOf(refusal.other)} no longer exists.`,
      refusal.call ? `Roll back ${handleOf(refusal.call)} first.` : "Roll back other calls.",
    );
  }
  const { shelf, id } = refusal;
  const what = "isEdge" in refusal ? `the edge \`${id}\`` : `${shelf} ${handleOf(id)}`;
  switch (refusal.why) {
    case "changed since":
      return conflict(
        `Call ${handleOf(refusal.call)} (${refusal.verb}) changed ${what} later.`,
        `Roll back ${handleOf(refusal.call)} first.`,
      );
    case "erased":
      return conflict(
        `The previous version of ${what} has been erased, or dropped because of its age.`,
        "That is permanent; roll back other calls.",
      );
    case "not kept":
      return conflict(
        `The previous version of ${what} was not kept: for evidence the journal keeps only hashes.`,
        "Roll back other calls.",
      );
    case "said twice":
      return conflict(
        `The ${what} cannot be restored: ${handleOf(refusal.other)} has the same content.`,
        `Forget ${handleOf(refusal.other)} first.`,
      );
    case "still needed":
      return conflict(
        `The ${what} would be removed, but it replaced ${handleOf(refusal.other)}.`,
        `Roll back ${handleOf(refusal.call)} first.`,
      );
    case "circle":
      return conflict(
        `The ${what} would be replaced again, but it has itself replaced ${handleOf(refusal.other)} since: both would vanish.`,
        refusal.call ? `Roll back ${handleOf(refusal.call)} first.` : "Roll back other calls.",
      );
  }
}

const conflict = (message: string, hint: string): Failure => new Failure("conflict", message, hint);
