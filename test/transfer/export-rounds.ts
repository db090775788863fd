/** Items of every kind go out, into an empty home and out again; both files must be equal. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { Change } from "../../src/journal/change.ts";
import { SOURCES } from "../../src/memory/item-fields.ts";
import type { Item } from "../../src/memory/item.ts";
import { MEMORY_TYPES, type Passage, ROLES, type Shelf, SHELVES } from "../../src/memory/shelves.ts";
import { contentHash } from "../../src/text/content-hash.ts";
import { cutPassages } from "../../src/text/passages.ts";
import { summaryOf } from "../../src/text/short-text.ts";
import { exportItems, type ExportRequest } from "../../src/transfer/export.ts";
import { type ImportAnswer, importItems } from "../../src/transfer/import.ts";
import { type TestWorld, testWorld } from "../test-world.ts";

const TEXTS = [
  "plain words about the build",
  'quotes " and \\ backslashes, {"json": [1, 2]} and a tab\there',
  "日本語の文章。キャッシュは一時間で切れる。",
  "emoji 👩‍🚀, e\u0301 decomposed, é composed, עברית, \u2028 and \u2029, \ufeff inside",
  "  white space at both ends, CRLF\r\nand a last line\n",
  "a token was here: [redacted:github-token] and a password = [redacted:secret-value]",
  `${"A sentence that makes it long. ".repeat(40)}\n\n${"And a second part of it. ".repeat(40)}`,
] as const;

/** What is decided is no memory. */
const KEPT_TYPES = MEMORY_TYPES.filter((type) => type !== "decision");

const KEPT = ["active", "archived", "superseded", "pruned"] as const;
const PROPOSED = ["pending", "ratified", "rejected", "superseded"] as const;

const pick = <T>(list: readonly T[], number: number): T => list[number % list.length]!;

/** Between them, these have everything that an item can have. */
function itemOf(number: number, shelf: Shelf, id: string, successor: string | null, at: number): Item {
  const [turn, isFile] = [Math.floor(number / SHELVES.length), shelf === "document" || shelf === "code"];
  const content = `${pick(TEXTS, turn)} (${number})`;
  const status = pick(shelf === "proposal" ? PROPOSED : KEPT, turn);
  return {
    id,
    type: shelf === "memory" ? pick(KEPT_TYPES, turn) : `a ${shelf}`,
    scope: turn % 3 === 0 ? "global" : "project",
    status,
    title: turn % 2 === 0 ? null : `Title ${number} — ${pick(TEXTS, turn).slice(0, 20).replaceAll(/\s/g, " ")}`,
    content,
    summary: isFile && turn % 5 === 0 ? `Summary ${number} 👍` : summaryOf(content),
    background: turn % 4 === 1 ? `Learnt in round ${number}\n${pick(TEXTS, turn).slice(0, 200)}` : null,
    tags: turn % 4 === 0 ? [] : ["tag", `Étiquette ${turn % 10}`, "子"],
    confidence: turn % 6 === 0 ? 0.1 + 0.2 : (turn % 100) / 100,
    priority: 1 + (turn % 10),
    pinned: turn % 7 === 0,
    source: pick(SOURCES, turn),
    host: pick(["cli", "mcp", "library"], turn),
    session: `session ${turn % 9}`,
    context: {
      branch: turn % 2 === 0 ? "main" : null,
      commits: turn % 3 === 0 ? ["a1b2c3d"] : [],
      files: turn % 4 === 0 ? ["src/a file.ts", "docs/é.md"] : [],
      symbols: turn % 5 === 0 ? ["getUserById"] : [],
      language: turn % 6 === 0 ? "typescript" : null,
    },
    label: isFile ? "docs" : null,
    path: isFile ? `src/file ${number}.ts` : null,
    hash: contentHash(content),
    version: 1 + (turn % 4),
    createdAt: at,
    updatedAt: at + (turn % 3) * 1_001,
    accessedAt: at + (turn % 5) * 1_001,
    accessCount: turn % 4,
    expiresAt: turn % 11 === 0 ? at + 86_400_001 : null,
    validFrom: turn % 2 === 0 ? at - 1 : null,
    validUntil: status === "superseded" ? at + 5 : null,
    supersededBy: status === "superseded" ? (successor ?? "nowhere") : null,
    details: turn % 3 === 0 ? {} : { space: "s", nested: { list: [1, null, "zwei", { 3: true }] }, rationale: content },
  };
}

function passagesFor(shelf: Shelf, number: number, content: string): Passage[] {
  const isSpoken = shelf === "evidence" || shelf === "document" || shelf === "code";
  // Cut as no rule would cut them again.
  const pieces = isSpoken ? cutPassages(content, 60 + (number % 50)) : cutPassages(content);
  return pieces.map(({ text, startLine, endLine }, ordinal) => ({
    ordinal,
    heading: isSpoken && ordinal % 2 === 0 ? `Heading ${number}: ${text.slice(0, 12)}` : null,
    startLine: number % 4 === 0 ? null : startLine,
    endLine: number % 4 === 0 ? null : endLine,
    text,
    tokens: null,
    ...(shelf === "evidence" && turnFor(number + ordinal)),
  }));
}

const SPEAKERS = [
  null,
  "Caroline",
  "O'Brien",
  "Søren Æ",
  "e\u0301",
  "王芳",
  "[redacted:github-token]",
  '"quoted" \\',
] as const;

/** Some were said by somebody, some in a part, some at a time; every ninth by nobody in particular. */
function turnFor(number: number): Pick<Passage, "turn"> {
  const [speaker, role] = [pick(SPEAKERS, number), pick([null, ...ROLES], number)];
  const at = number % 3 === 0 ? null : Date.UTC(2023, 4, 8) + number * 61_007;
  const isSaid = number % 9 !== 0 && (speaker !== null || role !== null || at !== null);
  return isSaid ? { turn: { speaker, role, at } } : {};
}

/** Puts items of every kind into a world, as if they had come about over time. */
export async function fill(world: TestWorld, count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => {
    world.clock.time += 1_013;
    return { id: world.ids.next(), at: world.clock.time };
  });
  for (const scope of ["project", "global"] as const) {
    const changes = ids.flatMap(({ id, at }, number): Change[] => {
      const shelf = pick(SHELVES, number);
      const item = itemOf(number, shelf, id, ids[number + SHELVES.length]?.id ?? null, at);
      const embed = shelf === "memory" ? item.type !== "code" : number % 5 !== 0;
      const passages = passagesFor(shelf, number, item.content);
      return item.scope === scope ? [{ kind: "insert_item", shelf, item, passages, embed }] : [];
    });
    for (let at = 0; at < changes.length; at += 500) {
      const applied = await world[scope].apply(changes.slice(at, at + 500), world.origin);
      assert.equal(applied.status, "applied", applied.status === "conflict" ? applied.reason : "");
    }
  }
}

export const EVERYTHING: Omit<ExportRequest, "path"> = {
  split: false,
  overwrite: true,
  scopes: ["project", "global"],
  shelves: SHELVES,
  journal: false,
  access: true,
};

/** Out, in, out, and in once more; what both imports answered. */
export async function exportRounds(count: number): Promise<ImportAnswer[]> {
  const [here, there] = [await testWorld(), await testWorld()];
  await fill(here, count);
  const first = await exportItems({ ...EVERYTHING, path: "out.jsonl" }, here);
  const answers = [await importItems({ path: first.path }, there)];
  const second = await exportItems({ ...EVERYTHING, path: "out.jsonl" }, there);
  answers.push(await importItems({ path: first.path }, there));
  assert.ok(readFileSync(first.path).equals(readFileSync(second.path)), "both exports are equal");
  return answers;
}
