/** Sessions that are taken in from transcripts, and everything that is kept of one. */
import { join } from "node:path";
import type { Item } from "../../src/memory/item.ts";
import { extract } from "../../src/sessions/extract.ts";
import { type Part, turnIn } from "../../src/sessions/turns.ts";
import type { World } from "../../src/world.ts";
import { type TestWorld, testWorld } from "../test-world.ts";
import { claudeLines, type Saying, writeTranscript } from "./transcript.ts";

export const DAY_MS = 86_400_000;
/** When the transcripts of the tests begin. */
export const START = Date.UTC(2026, 0, 15, 9);
const EVERYTHING = ["active", "archived", "superseded", "pending", "ratified", "rejected", "pruned"] as const;

/** A world some days after all that is said. */
export async function laterWorld(options: Parameters<typeof testWorld>[0] = {}): Promise<TestWorld> {
  const world = await testWorld(options);
  world.clock.time = START + 30 * DAY_MS;
  return world;
}

export const pathOf = ({ folder }: Pick<TestWorld, "folder">, session: string): string =>
  join(folder, "transcripts", `${session}.jsonl`);

/** Writes a transcript and reads it to its end. */
export async function taken(
  world: TestWorld,
  sayings: readonly Saying[],
  { session = "s1", lines = claudeLines(sayings, session) }: { session?: string; lines?: readonly string[] } = {},
): Promise<Awaited<ReturnType<typeof extract>>> {
  const path = pathOf(world, session);
  writeTranscript(path, lines);
  const read = await extract({ path, isEnded: true }, world);
  if (read.error !== null) throw new Error(read.error);
  return read;
}

/** The same minutes of another day. */
export const onDay = (day: number, sayings: readonly Saying[]): Saying[] =>
  sayings.map((saying, index) => ({ ...saying, minute: day * 1_440 + (saying.minute ?? index) }));

export async function turnsOf({ project }: Pick<World, "project">, session = "s1"): Promise<Part[][]> {
  const items = await inOrder(project, await project.evidenceOf(session));
  return items.map((item) => turnIn(item)!.parts);
}

async function inOrder(project: World["project"], ids: readonly string[]): Promise<Item[]> {
  const found = new Map((await project.items("evidence", ids)).map((item) => [item.id, item]));
  return ids.map((id) => found.get(id)!);
}

/** All items of a shelf, in both stores. */
export async function itemsOn(
  { project, global }: Pick<World, "project" | "global">,
  shelf: "memory" | "decision" | "proposal" | "evidence",
): Promise<Item[]> {
  const read = async (store: World["project"]) =>
    (await store.list(shelf, { statuses: EVERYTHING, now: 0 }, { limit: 1_000, offset: 0 })).items;
  return [...(await read(project)), ...(await read(global))];
}

/** Everything that a session leaves, without ids and times of writing. */
export async function leftBy(world: TestWorld, session: string) {
  const { project } = world;
  const evidence = await inOrder(project, await project.evidenceOf(session));
  const plain = ({ title, content, hash, context, createdAt, details, status }: Item) => ({
    title,
    content,
    hash,
    context,
    createdAt,
    status,
    turn: details["turn"],
    rejected: details["rejected"],
  });
  return {
    evidence: evidence.map(plain),
    proposals: (await itemsOn(world, "proposal")).map(plain),
    memories: (await itemsOn(world, "memory")).map(plain),
    cards: await project.sessionCards({ limit: 9 }),
    errors: await project.recurringErrors({ sessions: 1, days: 1 }, 99),
  };
}
