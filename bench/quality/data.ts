/**
 * Question sets: documents, questions, and the right answers.
 *
 * Public sets are read in place and never copied. The set of memories was written for this bench and lies beside it.
 */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Failure } from "../../src/errors.ts";
import type { MemoryType } from "../../src/memory/item.ts";

const DEFAULT_FOLDER = fileURLToPath(new URL("../../../shared/bench", import.meta.url));
const OWN_FOLDER = fileURLToPath(new URL("../sets", import.meta.url));

const FILES = ["corpus.jsonl", "queries.jsonl", "qrels.jsonl"];

export interface Document {
  id: string;
  text: string;
  title?: string;
  time?: string;
  session?: string;
  group?: string;
  /** Memories only. */
  type?: MemoryType;
  tags?: string[];
  files?: string[];
  symbols?: string[];
}

export interface Question {
  id: string;
  text: string;
  category?: string;
  group?: string;
}

export interface QuestionSet {
  name: string;
  documents: Document[];
  questions: Question[];
  /** Document ids by question id. */
  gold: Map<string, Set<string>>;
  /** Questions that no document answers. */
  unanswered: Question[];
}

export function dataFolder(): string {
  return process.env["STELE_BENCH_DATA"] || DEFAULT_FOLDER;
}

/** A set of our own, or else a public one. */
const folderOf = (name: string, folder: string): string =>
  existsSync(`${OWN_FOLDER}/${name}`) ? `${OWN_FOLDER}/${name}` : `${folder}/${name}`;

/** Refuses missing sets before minutes are spent on the others. */
export function checkSets(names: readonly string[], folder: string = dataFolder()): void {
  const hint = "STELE_BENCH_DATA names the folder of the sets; bench/README.md says what is in it.";
  const files = names.flatMap((name) => FILES.map((file) => `${folderOf(name, folder)}/${file}`));
  const missing = [folder, ...files].find((path) => !existsSync(path));
  if (missing !== undefined) throw new Failure("invalid_input", `There is no ${missing}.`, hint);
}

export function readSet(name: string, folder: string = dataFolder()): QuestionSet {
  const path = folderOf(name, folder);
  const gold = new Map<string, Set<string>>();
  for (const { query, doc } of lines<{ query: string; doc: string }>(`${path}/qrels.jsonl`)) {
    gold.set(query, (gold.get(query) ?? new Set()).add(doc));
  }
  // A session ends at practically the time of its commit, so its time would give the answer away.
  const hide = name === "entire-commit-session" ? ["time"] : [];
  const documents = lines<Document>(`${path}/corpus.jsonl`).map((document) => without(document, hide));
  const all = lines<Question>(`${path}/queries.jsonl`);
  const [questions, unanswered] = [true, false].map((isAnswered) =>
    all.filter(({ id }) => gold.has(id) === isAnswered),
  );
  return { name, documents, questions: questions!, gold, unanswered: unanswered! };
}

function without(document: Document, fields: readonly string[]): Document {
  return Object.fromEntries(Object.entries(document).filter(([name]) => !fields.includes(name))) as unknown as Document;
}

function lines<T>(path: string): T[] {
  const text = readFileSync(path, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
