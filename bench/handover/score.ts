/** Scores a text that was handed over, as the corpus defines it. */
import { BLOCK_END, BLOCK_START } from "../../src/sessions/clean-text.ts";
import { isQuotedFrom, runsOf } from "../../src/sessions/notes.ts";
import { firstTokens } from "../sessions/rows.ts";
import type { Task } from "./tasks.ts";

/** What was said where it stands, the older first. */
export type Gold = readonly (readonly string[])[];

export interface Score {
  speaks: boolean;
  /** Of what the task needs, the share that stands in a text from where it was decided. */
  facts: number;
  /** The same of the rule that holds now. */
  fresh: number;
  /** The older rule is there, the fresher one is not. */
  stale: boolean;
}

export function scoreOf(handed: string | null, { facts, fresh = [] }: Task, gold: Gold, tokens: number): Score {
  const texts = textsIn(firstTokens(handed ?? "", tokens));
  const own = texts.filter((text) => standsIn(text, gold.flat()));
  const shareIn = (patterns: readonly string[], some: readonly string[]) =>
    patterns.filter((one) => some.some((text) => new RegExp(one, "is").test(text))).length / patterns.length;
  const newest = shareIn(
    fresh,
    texts.filter((text) => standsIn(text, gold.slice(1).flat())),
  );
  // What was asked at first is no rule yet.
  const isOlder = gold.length > 1 && own.some((text) => standsIn(text, gold[0]!.slice(1)));
  return { speaks: handed !== null, facts: shareIn(facts, own), fresh: newest, stale: isOlder && newest < 1 };
}

/** A line with those that are indented below it. */
export const textsIn = (block: string): string[] =>
  block.split(/\n(?!\s)/).filter((text) => ![BLOCK_START, BLOCK_END, ""].includes(text.trim()));

const standsIn = (text: string, said: readonly string[]): boolean => isQuotedFrom(runsOf(said), text);
