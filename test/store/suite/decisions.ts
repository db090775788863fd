/** Decisions in outline, the evidence they rest on, and evidence that is archived. */
import { testLinks } from "./decisions/links.ts";
import { testArchiving } from "./decisions/archiving.ts";
import { type DecisionStore, type Make, trialsOf } from "./trial.ts";

export function testDecisions(make: Make<DecisionStore>): void {
  const trials = trialsOf(make);
  testLinks(trials);
  testArchiving(trials);
}
