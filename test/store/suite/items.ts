/** Items: written, read, unique and found by the beginning of their ids. */
import { listsAgree, testAgainstModel } from "./items/against-model.ts";
import { testWriting } from "./items/writing.ts";
import { testUniqueness } from "./items/uniqueness.ts";
import { testReading } from "./items/reading.ts";
import { testIds } from "./items/ids.ts";
import { type ItemStore, type Make, trialsOf } from "./trial.ts";

export function testItems(make: Make<ItemStore>): void {
  const trials = trialsOf(make);
  testWriting(trials);
  testUniqueness(trials);
  testReading(trials);
  testIds(trials);
  testAgainstModel(trials, listsAgree);
}
