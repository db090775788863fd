/** The model's tokenizer, for those who need wordpieces without vectors. Reads its vocabulary on first use. */
import { createWordpiece, type Wordpiece } from "../../../logic/text/wordpiece.ts";
import type { Tokenizer } from "../../../ports/embedder.ts";
import { loadVocabulary } from "./vocabulary.ts";

/** One vocabulary is packaged, so all worlds of a process read it once. */
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
