/**
 * The parts of a text that could stand for it on one line: runs of whole sentences and list items.
 *
 * The first sentence is often an introduction. A run never begins with a word that refers to what stood before.
 */
import { shortened } from "./plain-line.ts";

const SENTENCE_END = /(?<=[.!?]["')\]`]{0,2})\s+(?=["'(`[]?[\p{Lu}\p{N}])|(?<=[。！？])|(?<=;)\s+/u;
const REFERS_BACK =
  /^(?:it|its|it's|this|that|that's|these|those|they|he|she|also|and|but|so|or|then|however|instead|otherwise|therefore|both|neither|here|there|same|which|because)\b/i;
/** Shorter runs say too little beside their handle and date. */
const CHARACTERS_LEAST = 100;

/** `line` is plain already. The whole of it, if that fits. */
export function lineParts(line: string, characters: number): string[] {
  if (shortened(line, characters) === line) return [line];
  const sentences = line.split(SENTENCE_END);
  const parts = sentences.flatMap((first, from) => {
    if (from > 0 && REFERS_BACK.test(first)) return [];
    const runs: string[] = [];
    for (let end = from + 1; end <= sentences.length; end += 1) {
      const run = ended(sentences.slice(from, end).join(" "));
      if (shortened(run, characters) !== run) break;
      if (run.length >= Math.min(CHARACTERS_LEAST, characters / 2)) runs.push(run);
    }
    const isTooLong = shortened(ended(first), characters) !== ended(first);
    return isTooLong ? [shortened(first, characters)] : runs;
  });
  return parts.length > 0 ? parts : [shortened(line, characters)];
}

/** An item of a list ends like a sentence if nothing follows. */
const ended = (run: string): string => run.replace(/;$/, ".");
