/** What holds across all parts: transactions of every kind of change, erasing, and the report. */
import type { Store } from "../../../src/store/store.ts";
import { type Make, trialsOf } from "./trial.ts";
import { testErasing } from "./whole/erasing.ts";
import { testReport } from "./whole/report.ts";
import { testTransactions } from "./whole/transactions.ts";

export function testWhole(make: Make<Store>): void {
  const trials = trialsOf(make);
  testTransactions(trials);
  testErasing(trials);
  testReport(trials);
}
