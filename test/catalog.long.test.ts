/**
 * Every verb through every host gives the same answer.
 *
 * One scenario runs through the library, the command line and an MCP client, each on its
 * own home and in this process. Ids, times and the host's own name are made alike; everything else must be equal.
 * A verb that the scenario misses fails the test.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { after, before, test } from "node:test";
import type { Client, ElicitResult } from "@modelcontextprotocol/client";
import { openWorld } from "../src/app/compose.ts";
import { DEFAULT_TOOLS } from "../src/catalog/catalog.ts";
import { runCli } from "../src/cli/run.ts";
import { open, type Stele } from "../src/index.ts";
import { catalogOf } from "./catalog-of.ts";
import { connect, ownServer, transportTo } from "./mcp.ts";
import { catalog } from "./whole-catalog.ts";

type Answer = Record<string, unknown>;
type Call = (verb: string, input: Record<string, unknown>) => Promise<Answer>;

/** What has happened so far, for inputs that need an id from an earlier answer. */
type Step = [verb: string, input: Record<string, unknown> | ((answers: Answer[]) => Record<string, unknown>)];
const idOf = (step: number) => (answers: Answer[]) => ({ id: answers[step]!["id"] });
const handleOf = (step: number) => (answers: Answer[]) => ({ id: answers[step]!["handle"] });

/** A file of the host's own, beside the store that `inspect` told of. */
const ownFile = (answers: Answer[]) =>
  `${(answers[16]!["stores"] as { project: { path: string } }).project.path}.jsonl`;

const SCENARIO: Step[] = [
  ["remember", { content: "the user prefers dark mode", type: "preference" }],
  ["remember", { content: "deploys need the VPN", type: "gotcha", tags: ["deploy", "ops"], priority: 8 }],
  ["remember", { content: "deploys need the VPN", type: "gotcha" }],
  ["remember", { content: "scratch: look at the parser", type: "scratchpad" }],
  ["remember", { content: "sessions live in JWT cookies", type: "decision" }],
  ["recall", { query: "dark theme for the user", limit: 3 }],
  ["recall", { query: "VPN", mode: "keyword", tag: ["ops"], threshold: 0.2 }],
  ["get", handleOf(1)],
  ["list", { limit: 10 }],
  ["update", (answers) => ({ ...idOf(1)(answers), content: "deploys need two approvals", as: "replacement" })],
  ["recall", { query: "what do deploys need" }],
  ["promote", handleOf(3)],
  ["forget", { target: "approvals" }],
  ["forget", (answers) => ({ target: answers[0]!["id"] })],
  ["backfill", {}],
  ["list", { status: ["archived", "superseded"] }],
  ["inspect", {}],
  ["rollback", { last: 2 }],
  ["rollback", { call: "nowhere" }],
  ["audit", (answers) => ({ ...idOf(1)(answers), verify: true })],
  ["export", (answers) => ({ path: ownFile(answers), shelf: ["decision"], journal: true })],
  ["import", (answers) => ({ path: ownFile(answers) })],
  ["log", { text: "Ann: cookies or tokens?\nBo: tokens\nAnn: why?\nBo: the app has no cookies\n", at: "2026-01-31" }],
  ["log", { text: "Ann: cookies or tokens?\nBo: tokens\nAnn: why?\nBo: the app has no cookies\n" }],
  ["why", { question: "why tokens, not cookies", limit: 2 }],
  ["evidence", handleOf(22)],
  [
    "propose",
    (answers) => ({
      subject: "auth",
      decision: "JWT with refresh rotation",
      rationale: "the app has no cookies",
      rejected: ["cookies"],
      evidence: [answers[22]!["id"]],
      validFrom: "2026-01-31",
    }),
  ],
  ["propose", { subject: "auth", decision: "JWT with refresh rotation" }],
  ["propose", { subject: "auth", decision: "sessions", validFrom: "2026-01-31", validUntil: "2026-01-30" }],
  ["proposals", {}],
  ["ratify", idOf(26)],
  ["ratify", { id: "nowhere" }],
  ["reject", (answers) => ({ ...handleOf(26)(answers), reason: "not yet" })],
  ["reject", (answers) => ({ ...idOf(26)(answers), reason: "not yet" })],
  ["proposals", { status: ["rejected"] }],
  ["decisions", { subject: "auth" }],
  ["decisions", { at: "2026-01-31" }],
  ["import_adr", () => ({ path: join(folder, "0001-use-sqlite.md") })],
  ["import_adr", { path: "nowhere.md" }],
  ["index", {}],
  ["index", {}],
  ["search_docs", { query: "which database do we use", label: ["doc"] }],
  ["search_code", { query: "walrus" }],
  ["search_code", { query: "wal.us", regex: true }],
  ["search_code", { query: "(", regex: true }],
  ["describe_code", { path: "walrus.ts", description: "Dives once", startLine: 2, endLine: 4 }],
  ["describe_code", { path: "nowhere.ts", description: "Nothing" }],
  ["related", { target: "0001-use-sqlite.md" }],
  ["related", { target: "nowhere.md" }],
  ["link", (answers) => ({ source: answers[0]!["id"], target: answers[3]!["id"], relation: "refines" })],
  ["related", (answers) => ({ target: answers[0]!["id"] })],
  ["traverse", (answers) => ({ id: answers[0]!["id"], depth: 3 })],
  ["traverse", (answers) => ({ id: answers[0]!["id"], depth: 11 })],
  ["unlink", (answers) => ({ source: answers[0]!["id"], target: answers[3]!["id"] })],
  ["unlink", (answers) => ({ source: answers[0]!["id"], target: answers[0]!["id"] })],
  ["check", () => ({ path: join(folder, "0001-use-sqlite.md"), against: join(folder, "0001-use-sqlite.md") })],
  ["check", { path: "nowhere" }],
  ["consolidate", {}],
  ["consolidate", { shelf: "document", limit: 1 }],
  ["merge", (answers) => ({ first: answers[1]!["id"], second: answers[9]!["id"] })],
  ["merge", { first: "nowhere", second: "nowhere" }],
  ["summarize", { olderThanMinutes: 0 }],
  ["summarize", { session: "nobody's" }],
  ["observe", { event: "error_occurred", content: "ENOENT", context: "while packing" }],
  ["observe", { event: "error_occurred", content: "ENOENT", context: "while packing" }],
  ["observe", { event: "file_opened" }],
  ["maintain", {}],
  ["redact", {}],
  ["why", { question: "why tokens, not cookies", archived: true }],
  ["extract", {}],
  ["extract", { history: true, path: "session.jsonl" }],
  ["time", { expression: "next monday", at: "2026-02-25T19:30:00Z", zone: "America/New_York" }],
  ["surface", {}],
  ["surface", { branch: "two\nlines" }],
  ["relations", {}],
  ["relations", { suggested: true }],
  ["sessions", {}],
  ["sessions", { session: "nobody's" }],
  // Only a person judges: an agent is refused whatever else is right.
  ["judge", { note: "nowhere", as: "perhaps" }],
  ["pause", {}],
  ["pause", {}],
  ["resume", {}],
  ["backup", {}],
  ["restore", {}],
  ["restore", { id: "latest" }],
  ["context", {}],
  ["context", { query: "what do deploys need" }],
  ["orient", {}],
  ["settle", (answers) => ({ one: answers[0]!["id"], other: answers[3]!["id"], as: "unrelated" })],
  ["get", { id: "nowhere" }],
  ["recall", { query: "", limit: 3 }],
  ["remember", { content: "x", typo: true }],
];

const folder = mkdtempSync(join(tmpdir(), "stele-catalog-"));
/** Nobody gives up waiting on a busy machine: what was not waited for would make answers differ. */
const settings = { embedder: { provider: "hash" }, index: { waitMs: 60_000 }, recall: { modelWaitMs: 60_000 } };
const homeOf = (host: string) => join(folder, host);
let library: Stele;
let client: Client;

before(async () => {
  const record =
    "# 1. Use SQLite\n\n## Status\n\nAccepted\n\n## Context\n\nOne file.\n\n## Decision\n\nWe use SQLite.\n";
  writeFileSync(join(folder, "0001-use-sqlite.md"), record);
  writeFileSync(join(folder, "walrus.ts"), "/** Dives. */\nexport function walrus(): number {\n  return 1;\n}\n");
  // The hosts keep their data here too.
  writeFileSync(join(folder, ".steleignore"), "/cli/\n/mcp/\n/library/\n");
  library = await open({ home: homeOf("library"), project: folder, settings, session: "s" });
  // Without the work that the shipped server does between calls: it would embed what the scenario backfills.
  const server = ownServer({
    catalog: catalogOf(catalog),
    tools: "full",
    structured: true,
    defaultTools: DEFAULT_TOOLS,
    version: "0",
    open: () => openWorld({ host: "mcp", home: homeOf("mcp"), project: folder, settings, session: "s" }),
  });
  client = await connect(transportTo(server), { elicit });
});

after(async () => {
  await library.close();
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

const throughLibrary: Call = async (verb, input) => {
  const run = library[verb as keyof Stele] as unknown as (input: unknown) => Promise<Answer>;
  return run(input).catch((thrown: { toJSON(): Answer }) => thrown.toJSON());
};

const throughCli: Call = async (verb, input) => {
  const stdout = new PassThrough();
  const chunks: Buffer[] = [];
  stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  const flags = Object.entries(input).flatMap(([name, value]) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return [value].flat().flatMap((one) => (one === true ? [flag] : [flag, String(one)]));
  });
  await runCli([verb, ...flags, "--json"], {
    catalog: catalogOf(catalog),
    attended: false,
    io: { stdout, stderr: new PassThrough(), stdin: new PassThrough() },
    open: () => openWorld({ host: "cli", home: homeOf("cli"), project: folder, settings, session: "s" }),
  });
  return JSON.parse(Buffer.concat(chunks).toString()) as Answer;
};

/** An agent asks before it restores; a person in their own shell does not have to be asked. Nobody answers the rest. */
function elicit({ message }: { message: string }): ElicitResult {
  return message.startsWith("Replace what is remembered")
    ? { action: "accept", content: { restore: true } }
    : { action: "cancel" };
}

const throughMcp: Call = async (verb, input) => {
  const result = await client.callTool({ name: verb, arguments: input });
  if (!result.isError) return result.structuredContent as Answer;
  const [content] = result.content as { text: string }[];
  return { error: { code: content!.text.split(":")[0] } };
};

const OWN_FIELDS: readonly string[] = [
  ...["host", "source", "byAgent", "path", "bytes", "freeBytes", "session", "state", "sha256", "ms"],
  ...["time", "since", "agoMs", "accessCount", "accesses", "mostRecalled", "neverRecalled", "cachedVectors"],
  // Of a text with handles, each of which is a number of tokens of its own.
  "tokens",
  // What is compared by vectors depends on whether the process has its model by then.
  ...["near", "beside"],
];

/** Ids by their order of appearance; times, places and the host's own traces made alike. */
function alike(answers: readonly Answer[]): unknown {
  const names = new Map<string, string>();
  const text = JSON.stringify(answers, (key, value: unknown) => {
    if (/At$|^at$|^timestamp$|^valid(From|Until)$/.test(key)) return value === null ? null : "time";
    // Access is noted after the answer, and a model is loaded once a process: both are the process's own story.
    if (OWN_FIELDS.includes(key)) return key;
    // A failure's wording may speak of flags or fields; its code may not differ.
    if (key === "handle") return key;
    if (key === "error" && value !== null) return { code: (value as { code: string }).code };
    return value;
  });
  const numbered = text.replace(
    /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|\d{8}T\d{9}Z-[0-9a-f]{6}/g,
    (id) => {
      if (!names.has(id)) names.set(id, `id ${names.size + 1}`);
      return names.get(id)!;
    },
  );
  // An agent calls over MCP, a person otherwise; and handles in texts, and ids made from such texts.
  const anybody = numbered.replaceAll("proposed by an agent, not ratified", "proposed, not ratified");
  return JSON.parse(anybody.replace(/\b(?:[0-9a-f]{8}|[0-9a-f]{32})\b/g, "handle"));
}

async function play(call: Call): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const [verb, input] of SCENARIO) {
    answers.push(await call(verb, typeof input === "function" ? input(answers) : input));
  }
  return answers;
}

test("library, command line and MCP give equal answers to every verb", async () => {
  const [viaLibrary, viaCli, viaMcp] = [await play(throughLibrary), await play(throughCli), await play(throughMcp)];
  for (const [step, [verb]] of SCENARIO.entries()) {
    assert.ok(viaLibrary[step], `${verb} has an answer`);
  }
  assert.deepEqual(alike(viaCli), alike(viaLibrary), "command line");
  assert.deepEqual(alike(viaMcp), alike(viaLibrary), "MCP");
  const errors = viaLibrary.slice(-3).map((answer) => (answer["error"] as { code: string }).code);
  assert.deepEqual(errors, ["not_found", "invalid_input", "invalid_input"]);
});

test("the scenario knows every verb", () => {
  const played = new Set(SCENARIO.map(([verb]) => verb));
  assert.deepEqual(
    catalog.map(({ name }) => name).filter((name) => !played.has(name)),
    [],
  );
});

test("names are snake_case and unique, and default tools exist", () => {
  const names = catalog.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of names) assert.match(name, /^[a-z]+(_[a-z]+)*$/);
  for (const name of DEFAULT_TOOLS) assert.ok(names.includes(name), name);
});

test("no input field hides a flag that every verb has", () => {
  const reserved = ["project", "json", "dryRun", "help", "edit"];
  for (const { name, input } of catalog) {
    for (const field of Object.keys(input.shape)) {
      // `--no-json` takes `json` back; `--note` is another word.
      assert.ok(!reserved.includes(field) && !/^no(?![a-z])/.test(field), `${name}.${field}`);
    }
  }
});
