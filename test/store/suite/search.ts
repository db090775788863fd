/** Search: by words, substrings, vectors and wordpieces, and what is known of passages. */
import { testAgainstModel } from "./items/against-model.ts";
import { testWords, wordsAgree } from "./search/words.ts";
import { testPassageLife } from "./search/passages.ts";
import { testFilters } from "./search/filtering.ts";
import { testSuccession } from "./search/succession.ts";
import { testTurns } from "./search/turns.ts";
import { testVectors } from "./search/vectors.ts";
import { testQueuedVectors } from "./search/queued-vectors.ts";
import { type SearchStore, type Make, trialsOf } from "./trial.ts";

export function testSearch(make: Make<SearchStore>): void {
  const trials = trialsOf(make);
  testWords(trials);
  testPassageLife(trials);
  testFilters(trials);
  testSuccession(trials);
  testTurns(trials);
  testVectors(trials);
  testQueuedVectors(trials);
  testAgainstModel(trials, wordsAgree);
}
