/**
 * Finds what a question mentions by name: a file by its path or stem, a symbol, a subject.
 *
 * A question is prepared once and compared with many names, so a long question is not scanned
 * again for each of them.
 */
import { subjectsIn } from "../decisions/subject.ts";
import { words } from "../text/words.ts";

const STEM_SHARE = 0.5;
const SHORTEST_STEM = 3;
/** A shorter dotted name is an abbreviation, such as "e.g." */
const SHORTEST_MODULE = 5;

export interface Mentions {
  /** 1 if the question contains the path, its last two parts or its dotted module; half for the bare stem. */
  path(path: string): number;
  /** 1 if the question contains one of the names exactly. */
  name(names: readonly string[]): number;
  /** Whether the question names this subject of a decision. */
  subject(subject: string): boolean;
}

export function mentionsIn(question: string): Mentions {
  const text = folded(question);
  const spoken = new Set(words(text));
  const found = question.normalize("NFC").match(/[\p{L}\p{N}\p{M}_$.]+/gu) ?? [];
  // A full stop at the end of a sentence is not part of the name before it.
  const names = new Set(found.flatMap((name) => [name, name.replace(/\.{1,3}$/, "")]));
  return {
    path(path) {
      const { long, file, stem } = formsOf(path);
      if (long.some((form) => occurs(form, text))) return 1;
      if (file !== stem && occurs(file, text)) return 1;
      return stem.length >= SHORTEST_STEM && spoken.has(stem) ? STEM_SHARE : 0;
    },
    subject: subjectsIn(question),
    name: (wanted) => (wanted.some((name) => name !== "" && names.has(name.normalize("NFC"))) ? 1 : 0),
  };
}

/** How a path may be mentioned: in full, by its last two parts, as a module, as a file, by its stem. */
function formsOf(path: string): { long: string[]; file: string; stem: string } {
  const parts = folded(path)
    .split(/[\\/]/)
    .filter((part) => part !== "");
  const file = parts.at(-1) ?? "";
  const stem = file.replace(/\.\w+$/, "");
  if (parts.length < 2) return { long: [], file, stem };
  const module = [...parts.slice(-2, -1), stem].join(".");
  const long = [parts.join("/"), parts.slice(-2).join("/"), ...(module.length >= SHORTEST_MODULE ? [module] : [])];
  return { long, file, stem };
}

const WITHIN_WORD = /[\p{L}\p{N}\p{M}_]/u;

/** Whether a form occurs in a text by itself, not inside another word. */
function occurs(form: string, text: string): boolean {
  for (let at = text.indexOf(form); at !== -1 && form !== ""; at = text.indexOf(form, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + form.length)];
    if (!WITHIN_WORD.test(before) && !WITHIN_WORD.test(after)) return true;
  }
  return false;
}

/** One Unicode form for each letter: file systems and keyboards produce different ones. */
const folded = (text: string): string => text.normalize("NFC").toLowerCase();
