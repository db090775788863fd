/**
 * Over MCP: real servers, the official client, the same texts and questions.
 *
 * server-memory reads its whole file for every call and finds a question only as a literal
 * phrase; only the time a client waits is compared.
 */
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { median, residentMb, timesOf } from "./measure.ts";
import { entries, questionTexts } from "./party.ts";
import { type PartyName, type Row, spread } from "./result.ts";

const STELE = fileURLToPath(new URL("../../bin/stele.js", import.meta.url));
const SERVER_MEMORY = fileURLToPath(
  new URL("../node_modules/@modelcontextprotocol/server-memory/dist/index.js", import.meta.url),
);
const STARTS = 5;
const ROUNDS = 5;
const PER_ROUND = 20;
const ROUND_LIMIT_MS = 2_000;
const BATCH = 500;
const SETTLE_MS = 500;
/** Ids beyond those of any size, and different from the library's own extra texts. */
const FIRST_EXTRA = 200_000_000;

type Arguments = Record<string, unknown>;
type Command = { args: string[]; env: Record<string, string> };

export interface Server {
  readonly processId: number | null;
  /** From the start of the process until the client can call. */
  initializeMs: number;
  memoryMb(): number | null;
  call(name: string, input: Arguments): Promise<unknown>;
  close(): Promise<void>;
}

export const steleServer = (folder: string, embedder = "hash", program = STELE): Command => ({
  args: [program, "mcp", "--structured", "--project", folder],
  env: { STELE_HOME: join(folder, "home"), STELE_EMBEDDER: embedder },
});

const memoryServer = (file: string): Command => ({ args: [SERVER_MEMORY], env: { MEMORY_FILE_PATH: file } });

export async function startServer({ args, env }: Command): Promise<Server> {
  const started = performance.now();
  const client = new Client({ name: "bench", version: "0" });
  const path = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "" };
  const transport = new StdioClientTransport({
    command: process.execPath,
    args,
    env: { ...path, ...env },
    stderr: "ignore",
    maxBufferSize: 1e9,
  });
  await client.connect(transport);
  return {
    initializeMs: performance.now() - started,
    processId: transport.pid,
    memoryMb: () => (transport.pid === null ? null : residentMb(transport.pid)),
    async call(name, input) {
      const answer = await client.callTool({ name, arguments: input }, { timeout: 600_000 });
      if (answer.isError) throw new Error(`${name}: ${JSON.stringify(answer.content)}`);
      return answer.structuredContent;
    },
    close: () => client.close(),
  };
}

interface Served {
  who: PartyName;
  server: Server;
  recall(query: string): Promise<unknown>;
  remember(id: number, text: string): Promise<unknown>;
  reached?: number;
}

export interface McpOptions {
  folder: string;
  /** A folder with our store of that size. */
  stele: string;
  size: number;
  withPeer: boolean;
  fillLimitMs: number;
  say(text: string): void;
}

/** Starting and idling, which do not depend on the size of the store. */
export async function measureIdle({ folder, withPeer, say }: Omit<McpOptions, "size" | "stele">): Promise<Row[]> {
  say("MCP servers: start and idle");
  const commands: Partial<Record<PartyName, Command>> = { stele: steleServer(folder, "minilm") };
  if (withPeer && existsSync(SERVER_MEMORY)) commands["server-memory"] = memoryServer(join(folder, "idle.jsonl"));
  const starts = new Map<PartyName, { times: number[]; megabytes: number[] }>();
  for (let start = 0; start < STARTS; start += 1) {
    for (const [who, command] of Object.entries(commands) as [PartyName, Command][]) {
      const { times, megabytes } = starts.get(who) ?? { times: [], megabytes: [] };
      const server = await startServer(command);
      await delay(SETTLE_MS);
      const memory = server.memoryMb();
      await server.close();
      starts.set(who, {
        times: [...times, server.initializeMs],
        megabytes: memory ? [...megabytes, memory] : megabytes,
      });
    }
  }
  return [...starts].flatMap(([who, { times, megabytes }]): Row[] => {
    const row = { part: "mcp", size: null, who } as const;
    const memory = megabytes.length > 0 ? median(megabytes) : null;
    return [
      { ...row, what: "process started until initialized", ...spread(times) },
      { ...row, what: "memory of the idle server", value: memory, unit: "MB" },
    ];
  });
}

export async function measureCalls(options: McpOptions): Promise<Row[]> {
  const { stele, size, withPeer, say } = options;
  say(`MCP round trips at ${size}`);
  const rows: Row[] = [];
  const server = await startServer(steleServer(stele));
  const served: Served[] = [
    {
      who: "stele",
      server,
      recall: (query) => server.call("recall", { query }),
      remember: (_, content) => server.call("remember", { content }),
    },
  ];
  try {
    await server.call("recall", { query: "ba ce di", mode: "keyword" });
    await delay(SETTLE_MS);
    rows.push(memoryRow("memory of the idle server, store open", size, server));
    if (withPeer) {
      const { peer, fill } = await startMemoryServer(options);
      if (peer) served.push(peer);
      rows.push(fill);
    }
    rows.push(...(await roundTrips(served, size)));
    rows.push(memoryRow("memory of the server after recalls", size, server));
  } finally {
    for (const one of served) await one.server.close();
  }
  return rows;
}

function memoryRow(what: string, size: number, server: Server): Row {
  return { part: "mcp", what, size, who: "stele", value: server.memoryMb(), unit: "MB" };
}

const entity = (id: number, text: string) => ({ name: `note${id}`, entityType: "fact", observations: [text] });

async function startMemoryServer(options: McpOptions): Promise<{ peer: Served | null; fill: Row }> {
  const { folder, size, fillLimitMs } = options;
  const row = { part: "mcp", what: "insert in bulk over MCP", size, who: "server-memory", unit: "/s" } as const;
  if (!existsSync(SERVER_MEMORY)) return { peer: null, fill: { ...row, value: null, note: "not installed" } };
  mkdirSync(folder, { recursive: true });
  const server = await startServer(memoryServer(join(folder, `server-memory-${size}.jsonl`)));
  let [reached, spentMs] = [0, 0];
  while (reached < size && spentMs < fillLimitMs) {
    const batch = (await entries(reached, Math.min(size, reached + BATCH))).map(({ id, text }) => entity(id, text));
    const started = performance.now();
    await server.call("create_entities", { entities: batch });
    spentMs += performance.now() - started;
    reached += batch.length;
  }
  const reach = reached < size ? { reached } : {};
  const peer: Served = {
    who: "server-memory",
    server,
    recall: (query) => server.call("search_nodes", { query }),
    remember: (id, text) => server.call("create_entities", { entities: [entity(id, text)] }),
    ...reach,
  };
  return { peer, fill: { ...row, value: Math.round(reached / (spentMs / 1_000)), ...reach } };
}

async function roundTrips(served: readonly Served[], size: number): Promise<Row[]> {
  const questions = questionTexts(size, ROUNDS * PER_ROUND);
  const extra = await entries(FIRST_EXTRA, FIRST_EXTRA + ROUNDS * PER_ROUND);
  // Each question is asked once beforehand, as everywhere, so that its vector is known.
  for (const one of served) await timesOf(questions.length, (run) => one.recall(questions[run] ?? ""), ROUND_LIMIT_MS);
  const work = {
    "recall over MCP": (one: Served, run: number) => one.recall(questions[run] ?? ""),
    "remember over MCP": (one: Served, run: number) => one.remember(extra[run]?.id ?? 0, extra[run]?.text ?? ""),
  };
  const rows: Row[] = [];
  for (const [what, call] of Object.entries(work)) {
    const times = new Map<Served, number[]>(served.map((one) => [one, []]));
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const one of served) {
        const spent = await timesOf(PER_ROUND, (run) => call(one, round * PER_ROUND + run), ROUND_LIMIT_MS);
        times.get(one)?.push(...spent);
      }
    }
    for (const [{ who, reached }, list] of times) {
      rows.push({ part: "mcp", what, size, who, ...spread(list), ...(reached !== undefined && { reached }) });
    }
  }
  return rows;
}
