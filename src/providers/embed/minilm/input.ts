/**
 * A text as model input: wordpieces between two markers, truncated to the length it was trained on.
 *
 * Any change here changes vectors: raise the preparation version with it.
 */
import type { Vocabulary } from "../../../logic/text/vocabulary.ts";
import { createWordpiece } from "../../../logic/text/wordpiece.ts";
import { LONGEST_INPUT_IDS, LONGEST_TEXT_CHARACTERS } from "./identity.ts";

export function createInput(vocabulary: Vocabulary): (text: string) => Int32Array {
  const wordpiece = createWordpiece(vocabulary);
  const { start, end } = vocabulary;
  return (text) => {
    const pieces = wordpiece(text.slice(0, LONGEST_TEXT_CHARACTERS)).subarray(0, LONGEST_INPUT_IDS - 2);
    return Int32Array.of(start, ...pieces, end);
  };
}
