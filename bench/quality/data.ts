/** Public question sets, read in place and never copied: documents, questions, and the right answers. */
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Failure } from "../../src/errors.ts";

const DEFAULT_FOLDER = fileURLToPath(new URL("../../../shared/bench", import.meta.url));

const FILES = ["corpus.jsonl", "queries.jsonl", "qrels.jsonl"];

export interface Document {
  id: string;
  text: string;
  title?: string;
  time?: string;
  session?: string;
  group?: string;
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
}

export function dataFolder(): string {
  return process.env["STELE_BENCH_DATA"] || DEFAULT_FOLDER;
}

/** Refuses missing sets before minutes are spent on the others. */
export function checkSets(names: readonly string[], folder: string = dataFolder()): void {
  const hint = "STELE_BENCH_DATA names the folder of the sets; bench/README.md says what is in it.";
  const files = names.flatMap((name) => FILES.map((file) => `${folder}/${name}/${file}`));
  const missing = [folder, ...files].find((path) => !existsSync(path));
  if (missing !== undefined) throw new Failure("invalid_input", `There is no ${missing}.`, hint);
}

export function readSet(name: string, folder: string = dataFolder()): QuestionSet {
  const path = `${folder}/${name}`;
  const gold = new Map<string, Set<string>>();
  for (const { query, doc } of lines<{ query: string; doc: string }>(`${path}/qrels.jsonl`)) {
    gold.set(query, (gold.get(query) ?? new Set()).add(doc));
  }
  // A session ends at practically the time of its commit, so its time would give the answer away.
  const hide = name === "entire-commit-session" ? ["time"] : [];
  const documents = lines<Document>(`${path}/corpus.jsonl`).map((document) => without(document, hide));
  const questions = lines<Question>(`${path}/queries.jsonl`).filter(({ id }) => gold.has(id));
  return { name, documents, questions, gold };
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
