/** Whether a question speaks of something by its name: a file by its path or stem, a symbol, somebody who speaks. */
import { words } from "./words.ts";

const STEM_SHARE = 0.5;
const SHORTEST_STEM = 3;

/** 1 when the path, its last two parts, or its dotted module stand in the question; half for the bare stem. */
export function pathMention(question: string, path: string): number {
  const text = folded(question);
  const parts = folded(path)
    .split(/[\\/]/)
    .filter((part) => part !== "");
  const file = parts.at(-1);
  if (file === undefined) return 0;
  const stem = file.replace(/\.\w+$/, "");
  const bare = [...parts.slice(-2, -1), stem];
  const long = [parts.join("/"), parts.slice(-2).join("/"), bare.join(".")];
  if (parts.length > 1 && long.some((form) => text.includes(form))) return 1;
  if (file !== stem && text.includes(file)) return 1;
  const isNamed = stem.length >= SHORTEST_STEM && text.includes(stem) && words(text).includes(stem);
  return isNamed ? STEM_SHARE : 0;
}

/** 1 when one of the names stands in the question as it is written. */
export function nameMention(question: string, names: readonly string[]): number {
  if (names.length === 0) return 0;
  const found = question.normalize("NFC").match(/[\p{L}\p{N}\p{M}_$.]+/gu) ?? [];
  // The full stop at the end of a sentence is no part of the name before it.
  const asked = new Set(found.flatMap((name) => [name, name.replace(/\.{1,3}$/, "")]));
  return names.some((name) => name !== "" && asked.has(name.normalize("NFC"))) ? 1 : 0;
}

/** One spelling of a letter, whether a file system or a keyboard wrote it. */
const folded = (text: string): string => text.normalize("NFC").toLowerCase();
