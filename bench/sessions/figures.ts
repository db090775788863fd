/** The measures of a replay, as the corpus defines them. */
import type { Asked } from "./ask.ts";
import { HALVES, type Row, firstTokens, halfOf, kinshipOf, relativesOf } from "./rows.ts";

/** A session, and what it is handed. */
export interface Replayed {
  row: Row;
  asked: Asked;
  /** With every related and near session taken out. */
  apart: Asked;
}

export type Figures = Record<string, number>;

export function figuresOf(replayed: readonly Replayed[], startTokens: number): Figures {
  const picks = replayed.flatMap(({ row, asked }) =>
    asked.prompts.flatMap((handed) => handed?.sources.map((session) => kinshipOf(row, session)) ?? []),
  );
  const findable = replayed.filter(({ row }) => relativesOf(row, "related").length > 0);
  const starts = replayed.flatMap(({ asked }) => asked.start ?? []);
  const editing = replayed.filter(({ row }) => row.files.length > 0);
  return {
    "sessions, n": replayed.length,
    "prompt: speaks": shareOf(replayed, ({ asked }) => speaks(asked)),
    "prompt: items, n": picks.length,
    "prompt: items related": shareOf(picks, (kinship) => kinship === "related"),
    "prompt: items near": shareOf(picks, (kinship) => kinship !== "other"),
    "prompt: false": shareOf(replayed, ({ apart }) => speaks(apart)),
    "prompt: found": shareOf(findable, ({ row, asked }) => isFound(row, asked.prompts)),
    "prompt or start: found": shareOf(findable, ({ row, asked }) => isFound(row, [asked.start, ...asked.prompts])),
    "prompt: tokens when it speaks, n": meanOf(
      replayed.flatMap(({ asked }) => asked.prompts.flatMap((one) => one?.tokens ?? [])),
    ),
    "start: speaks": shareOf(replayed, ({ asked }) => asked.start !== null),
    [`start: files named, ${startTokens} tokens`]: meanOf(editing.map((one) => named(one, startTokens))),
    "start: files named, all of it": meanOf(editing.map((one) => named(one, Infinity))),
    "start: tokens, n": meanOf(starts.map(({ tokens }) => tokens)),
  };
}

/** A column for each half, and one for all. */
export function byHalf<Of>(rows: readonly Of[], keyOf: (row: Of) => string): [name: string, rows: Of[]][] {
  const halves = HALVES.map((half): [string, Of[]] => [half, rows.filter((row) => halfOf(keyOf(row)) === half)]);
  return [...halves, ["all", [...rows]]];
}

export const speaks = ({ prompts }: Asked): boolean => prompts.some((handed) => handed !== null);

const isFound = (row: Row, handed: Asked["prompts"]): boolean =>
  handed.some((one) => one?.sources.some((session) => kinshipOf(row, session) === "related"));

function named({ row, asked }: Replayed, tokens: number): number {
  const text = firstTokens(asked.start?.text ?? "", tokens);
  return shareOf(row.files, (file) => isNamed(file, text));
}

/** As a path of its own, not as the end or beginning of another. */
const isNamed = (file: string, text: string): boolean =>
  new RegExp(`(?<![\\w/.-])${file.replace(/[$()*+.?[\\\]^{|}]/g, "\\$&")}(?![\\w/-])`).test(text);

export function shareOf<Of>(all: readonly Of[], isOne: (one: Of) => boolean): number {
  return meanOf(all.map((one) => Number(isOne(one))));
}

export const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** What is no share. */
const COUNTED = ", n";

/** Figures in columns, a line each; "–" where there was nothing to measure. */
export function asColumns(columns: readonly (readonly [name: string, Figures])[]): string {
  const names = Object.keys(columns[0]?.[1] ?? {});
  const width = Math.max(...names.map((name) => name.length));
  const cell = (text: string) => text.padStart(11);
  const shown = (name: string, value: number) =>
    Number.isNaN(value) ? "–" : value.toFixed(name.endsWith(COUNTED) ? 0 : 3);
  return [
    " ".repeat(width) + columns.map(([name]) => cell(name)).join(""),
    ...names.map(
      (name) => name.padEnd(width) + columns.map(([, figures]) => cell(shown(name, figures[name]!))).join(""),
    ),
  ].join("\n");
}
