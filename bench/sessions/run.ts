/**
 * Replays real sessions through the product's own hooks and capture: `npm run bench:sessions -- --help`.
 *
 * In time order: before each session it is asked what the session is handed at its start and with its first prompts, once
 * with the whole memory and once in a copy without every near session; afterwards its transcript is taken in.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { called } from "../command-line.ts";
import { createProgress } from "../quality/progress.ts";
import { type Asked, askAll, askOne } from "./ask.ts";
import { type Replayed, asColumns, byHalf, figuresOf, shareOf, speaks } from "./figures.ts";
import { DEFAULT_HOME, type Memory, openMemory, openModel } from "./memory.ts";
import { type Row, jsonLines, kinshipOf, relativesOf, transcriptOf } from "./rows.ts";

const { values } = called({
  script: "bench:sessions",
  what: "Measures what sessions are handed of earlier ones, on six weeks of real work.",
  options: {
    limit: { type: "string", value: "N", what: "only the first sessions; all when omitted" },
    "start-tokens": {
      type: "string",
      value: "N",
      what: "how much of a start is read for names of files",
      default: "300",
    },
    "prompt-tokens": { type: "string", value: "N", what: "the most that a prompt is handed", default: "300" },
    settings: { type: "string", value: "JSON", what: "settings of the product in place of its defaults" },
    "without-model": { type: "boolean", what: "asks without the model as well, and compares" },
    home: { type: "string", value: "FOLDER", what: "keeps vectors there between runs", default: DEFAULT_HOME },
    json: { type: "boolean", what: "prints the figures as JSON" },
    verbose: { type: "boolean", what: "lists what each session is handed" },
  },
  note: "STELE_BENCH_DATA names the folder of the corpora.",
});
/** Before, there is too little to be told of. */
const FIRST_MEASURED = 10;
const CARDS_MOST = 100_000;
const numberIn = (name: "start-tokens" | "prompt-tokens", otherwise: number) => Number(values[name] ?? otherwise);
const [startTokens, promptTokens] = [numberIn("start-tokens", 300), numberIn("prompt-tokens", 300)];

const print = (text: string) => void process.stdout.write(`${text}\n`);
const progress = createProgress(process.stderr);
const transcripts = mkdtempSync(join(tmpdir(), "stele-bench-transcripts-"));
const model = openModel(values.home ?? DEFAULT_HOME);
const memory = await openMemory(model.embedder, JSON.parse(values.settings ?? "{}"));
try {
  await measure();
} finally {
  await memory.close();
  await model.close();
  rmSync(transcripts, { recursive: true, force: true });
}

/** A prompt that opens a session: from which sessions it is handed something, with the model and without. */
type Opening = { row: Row; with: string; without: string };

async function measure(): Promise<void> {
  const rows = jsonLines<Row>("sessions", "sessions.jsonl").slice(0, Number(values.limit ?? Infinity));
  const ways = { with: [] as Replayed[], without: [] as Replayed[] };
  const openings: Opening[] = [];
  let asking = 0;
  for (const [index, row] of rows.entries()) {
    progress.report(index, rows.length, "sessions");
    memory.at.time = Math.max(memory.at.time, Date.parse(row.start));
    memory.at.branch = row.branch;
    const apart = await memory.without(relativesOf(row, "related", "near"));
    const began = performance.now();
    const asked = await askAll(row.session, row.prompts, promptTokens, memory.world);
    asking += performance.now() - began;
    const inApart = (world: Memory["world"]) => askAll(row.session, row.prompts, promptTokens, world);
    const replayed = { row, asked, apart: await inApart(apart.world) };
    if (index >= FIRST_MEASURED) ways.with.push(replayed);
    if (values.verbose) show(replayed);
    await apart.close();
    if (values["without-model"] && index >= FIRST_MEASURED) await compare(row, ways.without, openings);
    memory.at.time = Math.max(memory.at.time, Date.parse(row.end));
    await memory.takeIn(transcriptOf(row, transcripts));
  }
  progress.clear();
  const figures = (replayed: Replayed[]) =>
    byHalf(replayed, ({ row }) => row.session).map(([name, some]) => [name, figuresOf(some, startTokens)] as const);
  const left = await whatIsLeft(rows, asking);
  const same = byHalf(openings, ({ row }) => row.session).map(([name, some]) => [name, sameness(some)] as const);
  if (values.json) {
    const all = { with: figures(ways.with), without: figures(ways.without), same };
    const named = Object.entries(all).map(([name, columns]) => [name, Object.fromEntries(columns)]);
    return print(JSON.stringify({ ...Object.fromEntries(named), left }, null, 2));
  }
  print(asColumns(figures(ways.with)));
  if (values["without-model"]) {
    print(`\nWithout the model\n${asColumns(figures(ways.without))}`);
    print(`\nEach prompt as the first of a session, with and without the model\n${asColumns(same)}`);
  }
  print(`\nWhat is left\n${asColumns([["", left]])}`);
}

/** In copies, lest the replay itself change; under another name, because there the session was handed something already. */
async function compare(row: Row, replayed: Replayed[], openings: Opening[]): Promise<void> {
  const [whole, apart] = [await memory.without([]), await memory.without(relativesOf(row, "related", "near"))];
  const asked = (world: Memory["world"]) => askAll(`${row.session} again`, row.prompts, promptTokens, world);
  replayed.push({ row, asked: await asked(whole.wordsOnly), apart: await asked(apart.wordsOnly) });
  for (const [index, prompt] of row.prompts.entries()) {
    const opened = async (way: "world" | "wordsOnly") => {
      const handed = await askOne(`${row.session} ${index} ${way}`, prompt, promptTokens, whole[way]);
      return [...new Set(handed?.sources)].sort().join(" ");
    };
    openings.push({ row, with: await opened("world"), without: await opened("wordsOnly") });
  }
  await whole.close();
  await apart.close();
}

function sameness(openings: readonly Opening[]): Record<string, number> {
  const isSame = (one: Opening) => one.with === one.without;
  const spoken = openings.filter((one) => one.with !== "" || one.without !== "");
  return {
    "prompts, n": openings.length,
    "same session, or silent both times": shareOf(openings, isSame),
    "prompts that are answered, n": spoken.length,
    "same session of these": shareOf(spoken, isSame),
  };
}

async function whatIsLeft({ length }: readonly Row[], asking: number): Promise<Record<string, number>> {
  const { project } = memory.world;
  // Until then most of it is in the log beside the file.
  await project.compact();
  const { counts, bytes } = await project.report();
  const cards = await project.sessionCards({ limit: CARDS_MOST });
  const handed = await project.handovers({ limit: CARDS_MOST });
  const of = (shelf: string) => counts.filter((one) => one.shelf === shelf).reduce((sum, { count }) => sum + count, 0);
  const uses = ["file", "get", "words", "none"].map((use): [string, number] => [
    `handed over, use "${use}", n`,
    handed.filter((one) => one.use === use).length,
  ]);
  return {
    "sessions, n": length,
    "cards, n": cards.length,
    "evidence, n": of("evidence"),
    "notes a session": cards.reduce((sum, { notes }) => sum + notes.length, 0) / length,
    "memories a session": of("memory") / length,
    "proposals a session": of("proposal") / length,
    MB: bytes / 1e6,
    "seconds of taking in": memory.seconds.takingIn,
    "seconds of embedding": memory.seconds.embedding,
    "ms to ask a session's hooks": asking / length,
    ...Object.fromEntries(uses),
  };
}

function show({ row, asked, apart }: Replayed): void {
  const said = (handed: Asked["start"]) =>
    handed === null
      ? "  (silent)"
      : `  [${handed.sources.map((one) => `${one} ${kinshipOf(row, one)}`).join(", ")}]\n${handed.text.replace(/^/gm, "  ")}`;
  print(`\n# ${row.session} on ${row.branch}; related: ${relativesOf(row, "related").join(", ") || "none"}`);
  print(`files: ${row.files.join(", ")}\nstart:\n${said(asked.start)}`);
  for (const [index, prompt] of row.prompts.entries())
    print(`prompt: ${prompt.slice(0, 200).replaceAll("\n", " ")}\n${said(asked.prompts[index]!)}`);
  if (speaks(apart))
    print(
      `falsely:\n${apart.prompts
        .filter((one) => one !== null)
        .map(said)
        .join("\n")}`,
    );
}
