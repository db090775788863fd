/** Why a rollback is refused, told to whoever asked for it. */
import { Failure } from "../../errors.ts";
import type { Refusal } from "../../logic/journal/plan-rollback.ts";
import { handleOf } from "../../model/memory/handle.ts";

export function refused(refusal: Refusal): Failure {
  const what = `${refusal.shelf} ${handleOf(refusal.id)}`;
  switch (refusal.why) {
    case "changed since":
      return conflict(
        `Call ${handleOf(refusal.call)} (${refusal.verb}) changed ${what} later.`,
        `Roll back ${handleOf(refusal.call)} first.`,
      );
    case "erased":
      return conflict(`What ${what} was before has been erased.`, "Erasing is for good; roll back other calls.");
    case "not kept":
      return conflict(
        `What ${what} was before was not kept; of evidence that is revised, only hashes are.`,
        "Roll back other calls.",
      );
    case "said twice":
      return conflict(
        `${what} would come back, and ${handleOf(refusal.other)} says the same.`,
        `Forget ${handleOf(refusal.other)} first.`,
      );
    case "still needed":
      return conflict(
        `${what} would go, and ${handleOf(refusal.other)} was replaced by it.`,
        `Roll back ${handleOf(refusal.call)} first.`,
      );
    case "loose end":
      return conflict(
        `${what} would come back, and ${handleOf(refusal.other)} is gone.`,
        refusal.call ? `Roll back ${handleOf(refusal.call)} first.` : "Roll back other calls.",
      );
  }
}

const conflict = (message: string, hint: string): Failure => new Failure("conflict", message, hint);
