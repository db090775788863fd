/** The model's tokenizer, for callers that need wordpieces without vectors. Reads its vocabulary on first use. */
import { createWordpiece, type Wordpiece } from "../../../logic/text/wordpiece.ts";
import type { Tokenizer } from "../../../ports/embedder.ts";
import { loadVocabulary } from "./vocabulary.ts";

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
