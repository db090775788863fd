/** The model's tokenizer, for callers that need wordpieces without vectors. Reads its vocabulary on first use. */
import { readFileSync } from "node:fs";
import { Failure } from "../../errors.ts";
import type { Tokenizer } from "../../ports.ts";
import { createWordpiece, readVocabulary, type Vocabulary, type Wordpiece } from "../../text/wordpieces.ts";

/**
 * The model's vocabulary, packed beside this file: parsing the tokenizer's own would take longer than a command may.
 */
const FILE = new URL("../../embed/minilm/vocabulary.bin", import.meta.url);

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

/** There is one packaged vocabulary, so all worlds of a process share it. */
let loading: Promise<Wordpiece> | undefined;

export function createTokenizer(): Tokenizer {
  return {
    async encode(texts) {
      loading ??= loadVocabulary().then(createWordpiece);
      const wordpiece = await loading;
      return texts.map((text) => wordpiece(text));
    },
  };
}
