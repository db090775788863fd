/**
 * The form of a question: a few words, or a report with a headline and details.
 *
 * The first line of a report is its most informative; traces and code below it are mostly
 * beside the point. Speakers' names say nothing about the topic and mislead an embedding.
 */
import { cut } from "../../model/text/cut.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Kind } from "../../model/recall/ranking.ts";
import { words } from "../text/words.ts";

const REPORT_WORDS = 40;
const GIST_CHARACTERS = 700;
/** Names are looked for only among the first words: a pasted page is not a question about a person. */
const NAMING_WORDS = 200;
/** A word as it is written: O'Brien, Jean-Luc, mary_jane. */
const WRITTEN_WORD = /[\p{L}\p{N}\p{M}]+(?:['’._-][\p{L}\p{N}\p{M}]+)*/gu;

/** The kind of item that a shelf holds, which decides how it is ranked. */
export function kindOf(shelf: Shelf, question: string, eachPassage: boolean): Kind {
  if (shelf === "evidence") return eachPassage ? "conversation" : "session";
  if (shelf === "document") return "prose";
  if (shelf === "code") return isReport(question) ? "report" : "code";
  return "memory";
}

export const isTalk = (kind: Kind): boolean => kind === "conversation" || kind === "session";

export function isReport(question: string): boolean {
  const lines = question.trim().split("\n");
  return lines.length >= 3 || words(question).length > REPORT_WORDS;
}

export function openingOf(question: string): string {
  const [opening = ""] = question.trim().split("\n", 1);
  return opening.trim();
}

/** The first line and the plain prose below it, without code, traces and comments. */
export function gistOf(question: string): string {
  const [opening = "", ...rest] = question.trim().split("\n");
  const prose = rest
    .join("\n")
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .replace(/<!--[\s\S]*?(-->|$)/g, " ")
    .split("\n")
    .filter((line) => !/^( {4,}|\t|Traceback|\s*File ")/.test(line))
    .join("\n");
  return cut(`${opening}\n${prose}`.trim(), GIST_CHARACTERS);
}

/** Runs of one to three words that could be a name, both normalised and as written. */
export function possibleNames(question: string): string[] {
  const text = question.normalize("NFC").replaceAll("’", "'");
  const bare = words(text).slice(0, NAMING_WORDS);
  const written: RegExpExecArray[] = [];
  for (const match of text.matchAll(WRITTEN_WORD)) if (written.push(match) === NAMING_WORDS) break;
  const asWritten = (run: readonly RegExpExecArray[]): string[] => {
    const [first, last] = [run[0]!, run.at(-1)!];
    const name = text.slice(first.index, last.index + last[0].length).replace(/\s+/g, " ");
    return [name, name.replace(/'s$/i, "")];
  };
  return [...new Set([...runs(bare).map((run) => run.join(" ")), ...runs(written).flatMap(asWritten)])];
}

const runs = <T>(all: readonly T[]): T[][] =>
  [1, 2, 3].flatMap((size) =>
    all.slice(0, Math.max(0, all.length - size + 1)).map((_, start) => all.slice(start, start + size)),
  );

/** The question without these names; unchanged if nothing else would be left. */
export function withoutNames(question: string, names: readonly string[]): string {
  let text = question;
  for (const name of names) {
    const pattern = patternOf(name);
    if (pattern === "") continue;
    text = text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(['’]s)?(?![\\p{L}\\p{N}])`, "giu"), " ");
  }
  const left = text.replace(/\s+/g, " ").trim();
  return words(left).length > 0 ? left : question;
}

function patternOf(name: string): string {
  const parts = name.split(/\s+/).filter((part) => part !== "");
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/['’]/g, "['’]"));
  return escaped.join("\\s+");
}
