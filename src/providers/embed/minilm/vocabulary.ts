/**
 * The model's vocabulary, packed beside this file: parsing the tokenizer's own would take longer than a command may.
 */
import { readFileSync } from "node:fs";
import { Failure } from "../../../errors.ts";
import { type Vocabulary, readVocabulary } from "../../../logic/text/vocabulary.ts";

const FILE = new URL("./vocabulary.bin", import.meta.url);

/** Read at once: it takes a fraction of a millisecond, and loading what reads it in the background several. */
export async function loadVocabulary(): Promise<Vocabulary> {
  try {
    return readVocabulary(readFileSync(FILE));
  } catch (cause) {
    throw new Failure("unavailable", "The model's vocabulary is missing or damaged.", "Reinstall Stele.", {
      cause,
    });
  }
}
