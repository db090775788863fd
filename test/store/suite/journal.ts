/** The journal: what is on record, of items and of edges. */
import { testJournaling } from "./journal/journaling.ts";
import { testEdgeRecords } from "./journal/edges.ts";
import { testNames } from "./journal/names.ts";
import { type JournalStore, type Make, trialsOf } from "./trial.ts";

export function testJournal(make: Make<JournalStore>): void {
  const trials = trialsOf(make);
  testJournaling(trials);
  testEdgeRecords(trials);
  testNames(trials);
}
