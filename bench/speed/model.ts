/**
 * One model for all: how many processes hold one, what it costs, and what a command gains from a server that runs.
 *
 * Everything runs from the installed package, on a store whose vectors the model made.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { seeded, sentence } from "./corpus.ts";
import { processTimes, residentMb } from "./measure.ts";
import { type Server, startServer, steleServer } from "./mcp.ts";
import { child } from "./processes.ts";
import type { Row } from "./result.ts";
import { install } from "./start.ts";

const MEMORIES = 5_000;
const QUESTIONS = 50;
const NEW_MEMORIES = 20;
const SERVERS = 6;
const STARTS = 25;
/** A server that is quiet returns its memory within a few seconds. */
const QUIET_MS = 10_000;

export async function measureModel(folder: string): Promise<Row[]> {
  const program = install(folder);
  await child("fill-process.ts", [folder, String(MEMORIES)]);
  const random = seeded(23);
  let asked = 0;
  const question = () =>
    `${sentence((asked += 1), random)
      .split(" ")
      .slice(0, 7)
      .join(" ")} ${asked}`;
  const servers: Server[] = [];
  const start = async () => {
    const server = await startServer(steleServer(folder, "minilm", program));
    servers.push(server);
    return server;
  };
  try {
    const server = await start();
    for (let turn = 0; turn < QUESTIONS; turn += 1) await server.call("recall", { query: question() });
    for (let turn = 0; turn < NEW_MEMORIES; turn += 1) await server.call("remember", { content: question() });
    await delay(QUIET_MS);
    const memory = [server.processId!, ...childrenOf(server.processId!)].map((pid) => residentMb(pid) ?? NaN);
    const against = recallTimes(folder, program, question);
    while (servers.length < SERVERS) await start();
    await Promise.all(servers.map((one) => one.call("recall", { query: question() })));
    const models = servers.flatMap(({ processId }) => childrenOf(processId!));
    const row = { part: "model", who: "stele", size: MEMORIES } as const;
    return [
      { ...row, what: "memory of server and model after use", value: sum(memory), unit: "MB" },
      { ...row, what: "of which the model's process", value: sum(memory.slice(1)), unit: "MB" },
      {
        ...row,
        size: null,
        what: "recall by meaning, package against bare node, a server running",
        value: against,
        unit: "×",
      },
      { ...row, size: null, what: "model processes of six servers", value: models.length, unit: "processes" },
    ];
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

/** Every question is new, so its vector has to come from the server's model. */
function recallTimes(folder: string, program: string, question: () => string): number {
  const command = (...words: string[]) => [
    ...["/usr/bin/env", `STELE_HOME=${join(folder, "home")}`, "STELE_EMBEDDER=minilm", process.execPath, program],
    ...["recall", question(), "--project", folder, ...words],
  ];
  const [first = "", ...rest] = command("--json");
  const { mode, degraded } = JSON.parse(spawnSync(first, rest, { encoding: "utf8" }).stdout) as Record<string, unknown>;
  if (mode !== "hybrid" || degraded !== null) throw new Error(`recall was ${mode}, ${degraded}`);
  const commands = { bare: () => ["/usr/bin/env", process.execPath, "-e", "0"], recall: () => command() };
  processTimes(commands, 4);
  const { bare, recall } = processTimes(commands, STARTS);
  return recall.p50 / bare.p50;
}

function childrenOf(processId: number): number[] {
  const listed = readFileSync(`/proc/${processId}/task/${processId}/children`, "utf8");
  return listed.split(" ").filter(Boolean).map(Number);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
