/**
 * The model's vocabulary, packed beside this file: parsing the tokenizer's own would take longer than a command may.
 */
import { readFile } from "node:fs/promises";
import { Failure } from "../../../errors.ts";
import { type Vocabulary, readVocabulary } from "../../../logic/text/vocabulary.ts";

const FILE = new URL("./vocabulary.bin", import.meta.url);

export async function loadVocabulary(): Promise<Vocabulary> {
  try {
    return readVocabulary(await readFile(FILE));
  } catch (cause) {
    throw new Failure("unavailable", "The model's vocabulary is missing or damaged.", "Reinstall Stele.", {
      cause,
    });
  }
}
