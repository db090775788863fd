/** Whether a text says anything: a blob, a ruler of one letter or a row of pictures would only take room. */
import { words } from "../../text/words.ts";

/** A longer run is a blob, except in scripts that leave no spaces between words. */
const WORD_CHARACTERS = 40;
const WITHOUT_SPACES = /\p{Lo}/u;

export const hasWords = (text: string): boolean =>
  words(text).some(
    (word) => (word.length <= WORD_CHARACTERS || WITHOUT_SPACES.test(word)) && new Set(word.match(/\p{L}/gu)).size > 1,
  );
