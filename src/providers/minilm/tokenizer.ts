/** The model's tokenizer, for those who need wordpieces without vectors. Reads its vocabulary on first use. */
import { createWordpiece, type Wordpiece } from "../../logic/wordpiece.ts";
import type { Tokenizer } from "../../ports.ts";
import { loadVocabulary } from "./vocabulary.ts";

export function createTokenizer(): Tokenizer {
  let loading: Promise<Wordpiece> | undefined;
  return {
    async encode(texts) {
      loading ??= loadVocabulary().then(createWordpiece);
      const wordpiece = await loading;
      return texts.map((text) => wordpiece(text));
    },
  };
}
