/**
 * What an agent pays for Stele on a day of work: `npm run bench:tokens -- --help`.
 *
 * Real sessions fill a memory; then 60 calls made of what was said in them are replayed through the official MCP client:
 * once as agents are served by default, once with every field and the JSON.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport, type StdioServerParameters } from "@modelcontextprotocol/client/stdio";
import { open } from "../../src/index.ts";
import { eventsOfLine, hostOfTranscript } from "../../src/sessions/transcripts.ts";
import { countTokens } from "../../test/tokenizer.ts";
import { called } from "../command-line.ts";
import { callWrongly, wrongCallsTable } from "./wrong-calls.ts";

const data = process.env["STELE_BENCH_DATA"] ?? resolve(import.meta.dirname, "../../../shared/bench");
const { values } = called({
  script: "bench:tokens",
  what: "Counts the tokens an agent spends on Stele on a day of 60 calls.",
  options: {
    verbose: { type: "boolean", what: "prints every call and its answer" },
    hash: { type: "boolean", what: "embeds by hashes of words, which is faster; with the packaged model when omitted" },
    "wrong-calls": { type: "boolean", what: "only prints the table of wrong calls and their answers" },
  },
  note: "STELE_BENCH_DATA names the folder of the corpora.",
});

interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

const CALLS = { recall: 30, remember: 12, get: 6, decisions: 4, search_code: 4, propose: 2, forget: 2 };
/** Shorter ones ("yes", "go on") are not asked of a memory; of longer ones an agent asks the gist. */
const LEAST_CHARACTERS = 25;
const MOST_CHARACTERS = 200;

const provider = values.hash ? "hash" : "minilm";
const print = (text: string) => void process.stdout.write(`${text}\n`);
const STELE = resolve(import.meta.dirname, "../../bin/stele.js");
const folder = mkdtempSync(join(tmpdir(), "stele-bench-tokens-"));
const project = join(folder, "project");
mkdirSync(project);
try {
  if (values["wrong-calls"]) print(wrongCallsTable(await callWrongly(serverIn(join(folder, "wrong")))));
  else await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const transcripts = readdirSync(join(data, "transcripts"))
    .filter((name) => name.endsWith(".jsonl"))
    .toSorted()
    .map((name) => join(data, "transcripts", name));
  const said = transcripts.map(saidIn);
  const spread = <T>(lists: readonly T[][], count: number): T[] => {
    const all = lists.flat();
    return Array.from({ length: Math.min(count, all.length) }, (_, at) => all[Math.floor((at * all.length) / count)]!);
  };
  for (const [who, flags] of [
    ["by default", []],
    ["--tools full --structured", ["--tools", "full", "--structured"]],
  ] as const) {
    const home = join(folder, who.replaceAll(" ", ""));
    const handles = await fill(home, transcripts);
    const calls = dayOf({
      prompts: spread(
        said.map(({ prompts }) => prompts),
        CALLS.recall + CALLS.decisions + CALLS.search_code,
      ),
      findings: spread(
        said.map(({ replies }) => replies),
        CALLS.remember + CALLS.propose,
      ),
      handles,
    });
    print(`\n${who}`);
    await replay(calls, home, flags);
  }
}

/** Handles of what capture kept of the sessions. */
async function fill(home: string, transcripts: readonly string[]): Promise<string[]> {
  const stele = await open({ home, project, settings: { embedder: { provider } } });
  try {
    for (const transcript of transcripts) await stele.extract({ path: transcript, end: true });
    const { items } = await stele.list({ limit: 50 });
    return items.map(({ handle }) => handle);
  } finally {
    await stele.close();
  }
}

function saidIn(transcript: string): { prompts: string[]; replies: string[] } {
  const lines = readFileSync(transcript, "utf8").split("\n");
  const host = hostOfTranscript(lines.slice(0, 20)) ?? "claude-code";
  const events = lines.flatMap((line, number) => eventsOfLine(line, number, host).events);
  const textsOf = (kind: "prompt" | "reply") =>
    events
      .flatMap((event) => (event.kind === kind ? [event.text.trim()] : []))
      .filter((text) => text.length >= LEAST_CHARACTERS)
      .map((text) => text.slice(0, MOST_CHARACTERS));
  return { prompts: textsOf("prompt"), replies: textsOf("reply") };
}

function dayOf(from: { prompts: string[]; findings: string[]; handles: string[] }): ToolCall[] {
  const [prompts, findings, handles] = [[...from.prompts], [...from.findings], [...from.handles]];
  const next = (list: string[]): string => list.shift() ?? "what did we do last";
  const inputs: Record<keyof typeof CALLS, () => Record<string, unknown>> = {
    recall: () => ({ query: next(prompts) }),
    remember: () => ({ content: next(findings) }),
    get: () => ({ id: next(handles) }),
    decisions: () => ({ subject: next(prompts) }),
    search_code: () => ({ query: next(prompts) }),
    propose: () => ({ subject: "way of working", decision: next(findings) }),
    forget: () => ({ target: next(handles) }),
  };
  return Object.entries(CALLS).flatMap(([name, count]) =>
    Array.from({ length: count }, () => ({ name, arguments: inputs[name as keyof typeof CALLS]() })),
  );
}

function serverIn(home: string, flags: readonly string[] = []): StdioServerParameters {
  const env = { PATH: process.env["PATH"] ?? "", STELE_HOME: home, STELE_EMBEDDER: provider };
  return { command: process.execPath, args: [STELE, "mcp", "--project", project, ...flags], env, stderr: "ignore" };
}

async function replay(calls: readonly ToolCall[], home: string, flags: readonly string[]): Promise<void> {
  const client = new Client({ name: "bench", version: "0" });
  await client.connect(new StdioClientTransport(serverIn(home, flags)));
  try {
    const { tools } = await client.listTools();
    const carried = countTokens(JSON.stringify(tools)) + countTokens(client.getInstructions() ?? "");
    const spent = new Map<string, { calls: number; asked: number; answered: number }>();
    for (const call of calls) {
      const result = await client.callTool(call);
      // Hosts hand their model the JSON where there is one.
      const [content] = result.content as { text?: string }[];
      const answer = result.structuredContent ? JSON.stringify(result.structuredContent) : (content?.text ?? "");
      if (values.verbose) print(`\n> ${call.name} ${JSON.stringify(call.arguments)}\n${answer}`);
      const row = spent.get(call.name) ?? { calls: 0, asked: 0, answered: 0 };
      row.calls += 1;
      row.asked += countTokens(JSON.stringify(call.arguments));
      row.answered += countTokens(answer);
      spent.set(call.name, row);
    }
    const rows = [...spent];
    const total = rows.reduce((sum, [, { asked, answered }]) => sum + asked + answered, carried);
    print(`  tool list (${tools.length} tools) and instructions: ${carried} tokens`);
    for (const [name, { calls: count, asked, answered }] of rows)
      print(
        `  ${name.padEnd(12)} ${count} calls  asked ${asked}  answered ${answered}  (${Math.round(answered / count)} each)`,
      );
    print(`  in all: ${total} tokens for ${calls.length} calls`);
  } finally {
    await client.close();
  }
}
