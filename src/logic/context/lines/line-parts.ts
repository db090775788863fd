/**
 * The parts of a text that could stand for it on one line: runs of whole sentences and list items.
 *
 * The first sentence is often an introduction, so a run may begin later, but never with a word that refers to what stood
 * before. An item of a list has its subject in the words before the list, so a run that begins with one repeats them.
 */
import { shortened } from "./plain-line.ts";

const SENTENCE_END = /(?<=[.!?]["')\]`]{0,2})\s+(?=["'(`[]?[\p{Lu}\p{N}])|(?<=[。！？])|(?<=;)\s+/u;
const REFERS_BACK =
  /^(?:it|its|it's|this|that|that's|these|those|they|he|she|also|and|but|so|or|then|however|instead|otherwise|therefore|both|neither|here|there|same|which|because)\b/i;
/** Shorter runs say too little beside their handle and date. */
const CHARACTERS_LEAST = 100;
/** The subject of a list leaves the rest of the line to its item. */
const SUBJECT_SHARE = 1 / 3;

/** `line` is plain already. The whole of it, if that fits. */
export function lineParts(line: string, characters: number): string[] {
  if (shortened(line, characters) === line) return [line];
  const sentences = line.split(SENTENCE_END);
  const subjects = subjectsOf(sentences);
  const parts = sentences.flatMap((first, from) => {
    if (from > 0 && REFERS_BACK.test(first)) return [];
    const subject = subjects[from];
    const opening = subject ? `${shortened(subject, characters * SUBJECT_SHARE)}: …; ` : "";
    const runs: string[] = [];
    for (let end = from + 1; end <= sentences.length; end += 1) {
      const run = ended(opening + sentences.slice(from, end).join(" "));
      if (shortened(run, characters) !== run) break;
      if (run.length >= Math.min(CHARACTERS_LEAST, characters / 2)) runs.push(run);
    }
    const whole = opening + first;
    const isTooLong = shortened(ended(whole), characters) !== ended(whole);
    return isTooLong ? [shortened(whole, characters)] : runs;
  });
  return parts.length > 0 ? parts : [shortened(line, characters)];
}

/** For each item of a list after the first, what the list is about; an item that names its own subject needs none. */
function subjectsOf(sentences: readonly string[]): (string | null)[] {
  let subject: string | null = null;
  return sentences.map((sentence, at) => {
    const isFurtherItem = at > 0 && sentences[at - 1]!.endsWith(";");
    const own = sentence.indexOf(": ");
    if (isFurtherItem) return own > 0 ? null : subject;
    if (own > 0) subject = sentence.slice(0, own);
    // An item may have several sentences, and then its last one ends like an item.
    else if (!sentence.endsWith(";")) subject = null;
    return null;
  });
}

/** An item of a list ends like a sentence if nothing follows. */
const ended = (run: string): string => run.replace(/;$/, ".");
