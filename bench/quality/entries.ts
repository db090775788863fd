/**
 * A group's documents as store entries, before anything is written.
 *
 * Conversations are evidence, one entry per session and one or more passages per turn;
 * functions, files and abstracts are files of a project; memories are memories. The fingerprint shows whether a store
 * filled earlier still holds exactly these.
 */
import { createHash } from "node:crypto";
import type { EvidenceRequest } from "../../src/decisions/evidence.ts";
import type { RememberRequest } from "../../src/memory/remember.ts";
import type { Turn } from "../../src/memory/shelves.ts";
import { redact } from "../../src/redaction/rules/redaction.ts";
import { cutPassages } from "../../src/text/passages.ts";
import { turnOf, turnsIn } from "../../src/text/turns.ts";
import type { Document } from "./data.ts";

export type Material = "turns" | "sessions" | "code" | "prose" | "memories";

/** The input of the store, the document it represents, and the passages expected there. */
export type Entry = { document: string; passages: Passage[] } & (
  | { kind: "evidence"; request: EvidenceRequest }
  | { kind: "file"; path: string; text: string }
  | { kind: "memory"; request: RememberRequest }
);

export interface Passage {
  /** The document it represents. */
  document: string;
  text: string;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const FINGERPRINT_DIGITS = 12;

export function entriesOf(documents: readonly Document[], material: Material): Entry[] {
  if (material !== "turns") return documents.map((document) => entryOf(document, material));
  const sessions = Map.groupBy(documents, ({ session, id }) => session ?? id);
  return [...sessions].map(([session, own]) => ({
    kind: "evidence",
    document: session,
    request: { turns: own.map((document) => ({ text: document.text, ...turnOf(spoken(document)) })), session },
    // A long turn becomes several passages; each of them represents it.
    passages: own.flatMap(({ id, text }) => passagesOf(id, text)),
  }));
}

export function fingerprint(entries: readonly Entry[]): string {
  const hash = createHash("sha256");
  for (const entry of entries) hash.update(JSON.stringify(entry)).update("\n");
  return hash.digest("hex").slice(0, FINGERPRINT_DIGITS);
}

function entryOf(document: Document, material: Exclude<Material, "turns">): Entry {
  const { id, text } = document;
  if (material === "memories") return { kind: "memory", document: id, request: memoryOf(document), passages: [] };
  if (material === "sessions") {
    const at = timeOf(document);
    const turns = turnsIn(text).map((turn) => ({ text: turn.text, ...turnOf({ ...turn, at }) }));
    const passages = turns.flatMap((turn) => passagesOf(id, turn.text));
    return { kind: "evidence", document: id, request: { turns }, passages };
  }
  const file = fileOf(document, material);
  return { kind: "file", document: id, ...file, passages: [] };
}

/** All in one scope: which memories cross projects is not what is measured here. Those of a session were captured. */
function memoryOf(document: Document): RememberRequest {
  const { text, title, type = "fact", tags = [], files = [], symbols = [], session } = document;
  const captured = session === undefined ? {} : { session, source: "extraction" as const };
  return {
    content: text,
    type,
    tags,
    scope: "project",
    context: { files, symbols },
    ...captured,
    ...(title && { title }),
  };
}

/** As a person would store it: a text under its title, a piece of code in its file. */
function fileOf({ id, title, text }: Document, material: "code" | "prose"): { path: string; text: string } {
  if (material === "prose") return { path: `${id}.md`, text: title === undefined ? text : `# ${title}\n\n${text}` };
  return { path: title ?? `${id}.py`, text };
}

/** Split after secrets are removed, as the store does. */
const passagesOf = (document: string, text: string): Passage[] =>
  cutPassages(redact(text).text).map((piece) => ({ document, text: piece.text }));

function spoken(document: Document): Turn {
  const name = /^([^:\n]{1,30}): /.exec(document.text)?.[1] ?? null;
  const role = name === "user" || name === "assistant" ? name : null;
  return { speaker: role ? null : name, role, at: timeOf(document) };
}

/** Reads "1:56 pm on 8 May, 2023" and "2023/04/10 (Mon) 14:47"; null for anything else. */
function timeOf({ time = "" }: Document): number | null {
  const written = /(\d{1,2}) ([A-Za-z]{3})[a-z]*,? (\d{4})/.exec(time);
  if (written) return Date.UTC(Number(written[3]), MONTHS.indexOf(written[2]!.toLowerCase()), Number(written[1]));
  const numeric = /(\d{4})\/(\d{2})\/(\d{2})/.exec(time);
  return numeric ? Date.UTC(Number(numeric[1]), Number(numeric[2]) - 1, Number(numeric[3])) : null;
}
