/**
 * Measures whether a session that is to fix a bug is handed what was decided about it: `npm run bench:handover -- --help`.
 *
 * Chats are taken in as on a person's first day; each task is asked in a copy, so that none changes what another finds.
 * Commits are scored, though nothing reads them yet; what they tell is asked without the chat that tells it too.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { type AnyOperation, readerOf } from "../../src/catalog/operation.ts";
import why from "../../src/decisions/verbs/why.ts";
import { answerText } from "../../src/mcp/tool.ts";
import recall from "../../src/recall/verbs/recall.ts";
import { DAY_MS } from "../../src/time/calendar.ts";
import type { World } from "../../src/world.ts";
import { called } from "../command-line.ts";
import { createProgress } from "../quality/progress.ts";
import { askOne } from "../sessions/ask.ts";
import { asColumns, byHalf, type Figures, meanOf, shareOf } from "../sessions/figures.ts";
import { DEFAULT_HOME, type Memory, openMemory, openModel } from "../sessions/memory.ts";
import { type Gold, type Score, scoreOf } from "./score.ts";
import {
  goldSessions,
  KINDS,
  projectOf,
  PROJECTS,
  readChats,
  readCommits,
  readTasks,
  type Task,
  transcriptOfChat,
} from "./tasks.ts";

// prettier-ignore

const { values } = called({
  script: "bench:handover",
  what: "Measures whether the next session is handed what past ones decided.",
  options: {
    limit: { type: "string", value: "N", what: "only the first tasks; all when omitted" },
    "prompt-tokens": { type: "string", value: "N", what: "the most that a prompt is handed", default: "300" },
    "answer-tokens": { type: "string", value: "N", what: "how much of an answer is read", default: "550" },
    home: { type: "string", value: "FOLDER", what: "keeps vectors there between runs", default: DEFAULT_HOME },
    json: { type: "boolean", what: "prints the figures as JSON" },
    verbose: { type: "boolean", what: "prints what each task is handed" },
  },
  note: "STELE_BENCH_DATA names the folder of the corpora.",
});
const promptTokens = Number(values["prompt-tokens"] ?? 300);
const answerTokens = Number(values["answer-tokens"] ?? 550);
const WAYS = { "With the model": "world", "Without the model": "wordsOnly" } as const;

interface Scored {
  task: Task;
  hook: Score;
  isFalse: boolean;
  recall: Score;
  why: Score;
}

const print = (text: string) => void process.stdout.write(`${text}\n`);
const progress = createProgress(process.stderr);
const folder = mkdtempSync(join(tmpdir(), "stele-bench-transcripts-"));
const model = openModel(values.home ?? DEFAULT_HOME);
try {
  await measure();
} finally {
  await model.close();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const all = readTasks();
  const tasks = all.slice(0, Number(values.limit ?? Infinity));
  const scored: Record<string, Scored[]> = {};
  for (const project of PROJECTS) {
    const memory = await openProject(project);
    for (const [index, task] of tasks.entries()) {
      if (projectOf(task) !== project) continue;
      progress.report(index, tasks.length, "tasks");
      for (const [name, way] of Object.entries(WAYS))
        (scored[name] ??= []).push(await scoredTask(task, goldSessions(task, all), way, memory));
    }
    await memory.close();
  }
  progress.clear();
  const tables = Object.entries(scored).map(([name, some]) => [name, columnsOf(some)] as const);
  if (values.json)
    return print(
      JSON.stringify(Object.fromEntries(tables.map(([name, columns]) => [name, Object.fromEntries(columns)])), null, 2),
    );
  print(tables.map(([name, columns]) => `${name}\n${asColumns(columns)}`).join("\n\n"));
}

async function openProject(project: (typeof PROJECTS)[number]): Promise<Memory> {
  const chats = readChats().filter(({ pool }) => pool === "both" || pool === project);
  const memory = await openMemory(model.embedder);
  memory.at.branch = "main";
  memory.at.time = Math.max(...chats.map(({ start }) => Date.parse(start))) + DAY_MS;
  for (const [index, chat] of chats.entries()) {
    progress.report(index, chats.length, `chats of ${project}`);
    await memory.takeIn(transcriptOfChat(chat, memory.world.place.checkout, folder));
  }
  return memory;
}

async function scoredTask(
  task: Task,
  sessions: readonly string[],
  way: "world" | "wordsOnly",
  memory: Memory,
): Promise<Scored> {
  // What a commit told is not to be found in a chat.
  const whole = await memory.without(task.kind === "history" ? sessions : []);
  const apart = await memory.without(sessions);
  const gold = goldOf(task);
  const handed = await askOne(`${task.id} asks`, task.prompt, promptTokens, whole[way]);
  const falsely = await askOne(`${task.id} asks`, task.prompt, promptTokens, apart[way]);
  const recalled = await answerOf(recall as unknown as AnyOperation, { query: task.prompt }, whole[way]);
  const said = await answerOf(why as unknown as AnyOperation, { question: task.prompt }, whole[way]);
  await whole.close();
  await apart.close();
  const scored = {
    task,
    isFalse: falsely !== null,
    hook: scoreOf(handed?.text ?? null, task, gold, promptTokens),
    recall: scoreOf(recalled, task, gold, answerTokens),
    why: scoreOf(said, task, gold, answerTokens),
  };
  if (values.verbose) {
    const { hook, recall: found, why: told } = scored;
    print(`\n# ${task.id}, ${way}: facts ${hook.facts} of the hook, ${found.facts} of recall, ${told.facts} of why`);
    print(`hook: ${handed?.text ?? "(silent)"}\nfalsely: ${falsely?.text ?? "(silent)"}`);
    print(`recall: ${recalled}\nwhy: ${said}`);
  }
  return scored;
}

/** As an agent reads it. */
async function answerOf(op: AnyOperation, input: Record<string, unknown>, world: World): Promise<string> {
  const { answer } = await dispatch(op, input, world);
  return answerText(op, answer, readerOf(input, world));
}

function goldOf({ sessions, commit }: Task): Gold {
  const chats = new Map(readChats().map((chat) => [chat.session, chat.turns.map(({ text }) => text)]));
  const commits = readCommits().filter(({ id }) => id === commit);
  return [...sessions.map((session) => chats.get(session)!), ...commits.map((one) => [one.subject, one.body])];
}

/** By kind, then by half. */
function columnsOf(scored: readonly Scored[]): (readonly [string, Figures])[] {
  const byKind = KINDS.map((kind) => [kind as string, scored.filter(({ task }) => task.kind === kind)] as const);
  const halves = byHalf(scored, ({ task }) => task.prompt);
  return [...byKind, ...halves].map(([name, some]) => [name, figuresOf(some)] as const);
}

function figuresOf(scored: readonly Scored[]): Figures {
  const amended = scored.filter(({ task }) => task.kind === "amended");
  const of = (name: "hook" | "recall" | "why", tokens: number): Figures => ({
    [`${name}: facts, ${tokens} tokens`]: meanOf(scored.map((one) => one[name].facts)),
    [`${name}: fresh`]: meanOf(amended.map((one) => one[name].fresh)),
    [`${name}: stale`]: shareOf(amended, (one) => one[name].stale),
  });
  return {
    "tasks, n": scored.length,
    "hook: speaks": shareOf(scored, ({ hook }) => hook.speaks),
    "hook: false": shareOf(scored, ({ isFalse }) => isFalse),
    ...of("hook", promptTokens),
    ...of("recall", answerTokens),
    ...of("why", answerTokens),
  };
}
