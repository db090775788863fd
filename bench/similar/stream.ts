/**
 * False alarms: remembers a thousand unrelated texts in one store and lists everything announced, for a person to read.
 *
 * Sentences of public corpora, taken evenly from each and in an order that mixes them.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Embedder } from "../../src/ports/embedder.ts";
import { seeded } from "../speed/corpus.ts";
import { freshPlace } from "./place.ts";

const CORPORA = "locomo lme-evidence-pool scifact swe-issue-file-py entire-commit-session docs-cosmos-adr".split(" ");
const SHORTEST_CHARACTERS = 30;
const LONGEST_CHARACTERS = 400;

export interface Alarm {
  text: string;
  kind: string;
  of: string;
  relevance: number;
}

export function unrelatedTexts(data: string, count: number): string[] {
  const random = seeded(7);
  const found = CORPORA.filter((name) => existsSync(join(data, name, "corpus.jsonl"))).map((name) =>
    sentencesOf(data, name),
  );
  const each = Math.ceil(count / Math.max(1, found.length));
  return found
    .flatMap((sentences) => shuffled(sentences, random).slice(0, each))
    .map((text) => ({ text, at: random() }))
    .sort((one, two) => one.at - two.at)
    .map(({ text }) => text)
    .slice(0, count);
}

function sentencesOf(data: string, name: string): string[] {
  const lines = readFileSync(join(data, name, "corpus.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean);
  const all = lines.flatMap((line) => {
    const { text } = JSON.parse(line) as { text: string };
    return text.slice(0, 4_000).split(/(?<=[.!?])\s+|\n+/);
  });
  const fitting = all.map((one) => one.trim()).filter(({ length }) => length >= SHORTEST_CHARACTERS && length <= LONGEST_CHARACTERS); // prettier-ignore
  return [...new Set(fitting)];
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map((one) => ({ one, at: random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ one }) => one);
}

export async function runStream(texts: readonly string[], embedder: Embedder | null): Promise<Alarm[]> {
  const place = await freshPlace(embedder);
  const alarms: Alarm[] = [];
  try {
    for (const [index, text] of texts.entries()) {
      const { similar } = await place.remember(text);
      for (const { kind, summary, relevance } of similar) alarms.push({ text, kind, of: summary, relevance });
      if (index % 10 === 9) await place.embed();
    }
  } finally {
    await place.close();
  }
  return alarms;
}
