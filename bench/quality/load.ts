/**
 * A question set in a store, through the functions that the verbs call.
 *
 * One space a group. Conversations are evidence, one item a session and one passage a turn;
 * functions and files are code; abstracts are documents. Vectors are kept in a folder between
 * runs, because embedding takes minutes and recipes seconds.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openWorld } from "../../src/compose.ts";
import { drain } from "../../src/engine/drain.ts";
import { indexFile } from "../../src/engine/index-file.ts";
import { keepEvidence } from "../../src/engine/keep-evidence.ts";
import { cutPassages } from "../../src/logic/passages.ts";
import { turnsIn } from "../../src/logic/turns.ts";
import type { Turn } from "../../src/model/shelf.ts";
import type { World } from "../../src/ports.ts";
import type { Document, QuestionSet } from "./data.ts";

export type Material = "turns" | "sessions" | "code" | "prose";

export interface LoadedGroup {
  world: World;
  /** The document that a hit stands for. */
  documentOf(hit: { id: string; passage?: { ordinal: number } | undefined }): string;
  close(): Promise<void>;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

export async function loadSet(set: QuestionSet, material: Material, home: string): Promise<Map<string, LoadedGroup>> {
  const groups = new Map<string, LoadedGroup>();
  for (const [group, documents] of Map.groupBy(set.documents, ({ group = "" }) => group)) {
    groups.set(group, await loadGroup(documents, material, join(home, set.name, group.replaceAll("/", "_") || "all")));
  }
  return groups;
}

async function loadGroup(documents: readonly Document[], material: Material, folder: string): Promise<LoadedGroup> {
  const project = join(folder, "project");
  mkdirSync(project, { recursive: true });
  const { world, close } = await openWorld({ host: "bench", home: join(folder, "home"), project });
  const names = new Map<string, string>();
  if (material === "turns") await loadTurns(documents, names, world);
  else for (const document of documents) names.set(await loadOne(document, material, world), document.id);
  await drain(world.project, world, { batch: 64 });
  const nameOf = (key: string) => names.get(key) ?? "";
  return {
    world,
    documentOf: ({ id, passage }) => nameOf(material === "turns" ? `${id}/${passage?.ordinal}` : id),
    close,
  };
}

async function loadTurns(documents: readonly Document[], names: Map<string, string>, world: World): Promise<void> {
  for (const [session, own] of Map.groupBy(documents, ({ session, id }) => session ?? id)) {
    const turns = own.map((document) => ({ text: document.text, ...turnOf(document) }));
    const { id } = await keepEvidence({ turns, session }, world);
    // A long turn becomes several passages; each of them stands for it.
    const pieces = own.flatMap((document) => cutPassages(document.text).map(() => document.id));
    for (const [ordinal, document] of pieces.entries()) names.set(`${id}/${ordinal}`, document);
  }
}

async function loadOne(document: Document, material: Exclude<Material, "turns">, world: World): Promise<string> {
  const { id, text, title } = document;
  if (material === "sessions") return (await keepEvidence(sessionOf(document), world)).id;
  if (material === "prose")
    return indexFile({ shelf: "document", path: `${id}.txt`, title: title ?? null, text }, world);
  return indexFile({ shelf: "code", path: title ?? `${id}.py`, title: title ?? null, text }, world);
}

function sessionOf({ text, time }: Document) {
  const at = time === undefined ? null : timeOf(time);
  return { turns: turnsIn(text).map((turn) => ({ ...turn, at })) };
}

function turnOf({ text, time }: Document): Turn {
  const name = /^([^:\n]{1,30}): /.exec(text)?.[1] ?? null;
  const role = name === "user" || name === "assistant" ? name : null;
  return { speaker: role ? null : name, role, at: time === undefined ? null : timeOf(time) };
}

/** "1:56 pm on 8 May, 2023" and "2023/04/10 (Mon) 14:47"; anything else is no time. */
function timeOf(text: string): number | null {
  const written = /(\d{1,2}) ([A-Za-z]{3})[a-z]*,? (\d{4})/.exec(text);
  if (written) return Date.UTC(Number(written[3]), MONTHS.indexOf(written[2]!.toLowerCase()), Number(written[1]));
  const numeric = /(\d{4})\/(\d{2})\/(\d{2})/.exec(text);
  return numeric ? Date.UTC(Number(numeric[1]), Number(numeric[2]) - 1, Number(numeric[3])) : null;
}
