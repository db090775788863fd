/** The project's files: how they were last seen, and what they define and refer to. */
import { testFiles } from "./corpus/files.ts";
import { testSymbols } from "./corpus/symbols.ts";
import { type CorpusStore, type Make, trialsOf } from "./trial.ts";

export function testCorpus(make: Make<CorpusStore>): void {
  const trials = trialsOf(make);
  testFiles(trials);
  testSymbols(trials);
}
