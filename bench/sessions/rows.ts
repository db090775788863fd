/** The corpus of sessions, and how its rows are divided. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const DATA = process.env["STELE_BENCH_DATA"] ?? resolve(import.meta.dirname, "../../../shared/bench");

export interface Row {
  session: string;
  start: string;
  end: string;
  branch: string;
  /** The first three. */
  prompts: string[];
  /** That it edited. */
  files: string[];
  /** Earlier sessions: the share of the edited files that were edited there, and whether the feature branch was the same. */
  related: Record<string, { files: number; branch: boolean }>;
}

export const jsonLines = <Of>(...path: string[]): Of[] =>
  readFileSync(join(DATA, ...path), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Of);

export type Kinship = "related" | "near" | "other";

const RELATED_FILES = 0.34;
const NEAR_FILES = 0.1;

export function kinshipOf({ related }: Pick<Row, "related">, session: string): Kinship {
  const { files = 0, branch = false } = related[session] ?? {};
  return branch || files >= RELATED_FILES ? "related" : files >= NEAR_FILES ? "near" : "other";
}

export const relativesOf = (row: Row, ...kinds: Kinship[]): string[] =>
  Object.keys(row.related).filter((session) => kinds.includes(kinshipOf(row, session)));

/** Numbers are chosen on the first half; the second tells what they are worth. */
export const HALVES = ["chosen on", "unseen"] as const;

export const halfOf = (key: string): (typeof HALVES)[number] =>
  HALVES[createHash("sha256").update(key).digest()[0]! % HALVES.length]!;

/** The transcript under the name of its row: a session that was continued in another file is two rows. */
export function transcriptOf({ session }: Row, folder: string): string {
  const lines = jsonLines<Record<string, unknown>>("sessions", "transcripts", `${session}.jsonl`);
  return writeTranscript(
    session,
    lines.map((line) => ("sessionId" in line ? { ...line, sessionId: session } : line)),
    folder,
  );
}

export function writeTranscript(session: string, lines: readonly object[], folder: string): string {
  const path = join(folder, `${session}.jsonl`);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  return path;
}

/** As corpora count them. */
const TOKEN_CHARACTERS = 4;

export const firstTokens = (text: string, tokens: number): string => text.slice(0, tokens * TOKEN_CHARACTERS);
