/**
 * Generates docs/benchmarks.md from the saved result and the saved baseline of bench/quality.
 *
 * `npm run bench:report` writes it; `--check` writes nothing and exits with 1 if it is stale.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { format, resolveConfig } from "prettier";
import { called } from "../command-line.ts";
import type { Reliability } from "../quality/reliability.ts";
import { PARTIES, type Part, type Result, type Row, SAVED, TITLES, readResult } from "./result.ts";
import { beside, budgetText, describeMachine, linesOf, measured, partiesIn, sizeText, verdict } from "./tables.ts";

const PAGE = fileURLToPath(new URL("../../docs/benchmarks.md", import.meta.url));
const QUALITY = new URL("../quality/baseline.json", import.meta.url);
const RELIABILITY = new URL("../quality/reliability.json", import.meta.url);
const SOAK = new URL("../soak.json", import.meta.url);
const NOTE = "<!-- Generated from measurements: run `npm run bench -- --write` or `npm run bench:report`. -->";

const SECTIONS: { title: string; parts: Part[]; text: string }[] = [
  {
    title: "Inserting",
    parts: ["insert"],
    text: "In bulk: 500 at once; each of ours is a separate call with journal and redaction. With vectors: until every text has its vector; ours are computed within the measured time, the others' beforehand. One by one: until the text is stored and found by words.",
  },
  {
    title: "Recalling",
    parts: ["recall"],
    text: "Median of a hundred questions, ten answers each, in alternating rounds, each party in its own process. Warm, without embedding the question. Orama and MiniSearch run in memory and store nothing on disk.",
  },
  {
    title: "Over MCP",
    parts: ["mcp"],
    text: "Real server processes and the official client. server-memory finds a question only as a literal phrase and reads its file for every call.",
  },
  {
    title: "Over HTTP",
    parts: ["http"],
    text: "The same calls to the same store in alternating rounds: in this process, to a server on standard input, and to `stele serve` by the library's own client. Then nine recalls for each memory, one after the other.",
  },
  {
    title: "The page",
    parts: ["page"],
    text: "In Chromium on this machine, drawn without a graphics card. The first view: from the link to the first row, the median of seven visits. The graph: 5,000 memories and 10,000 relations find their places in a worker while somebody types; how long the page was busy, and how long timers and keys waited.",
  },
  {
    title: "Indexing",
    parts: ["index"],
    text: "The files of this project's dependencies, without embedding. Parsing alone: the same two threads read and split the same files, and nothing is stored.",
  },
  {
    title: "On Postgres",
    parts: ["postgres"],
    text: "The same memories and calls on both stores, in alternating rounds, with a server on this machine. Neither waits for the disk. A write stores one memory; remember also compares it with older ones. Round trips: how often the store waits for an answer of the server. Seen: from the commit in one server until another one finds it. Nearest: the ten memories nearest to a question, in a process that holds the vectors, and in one that fetches them for each question.",
  },
  {
    title: "Processes",
    parts: ["start", "embed", "cold", "busy", "model", "hooks", "link"],
    text: "A command against `node -e 0`, the same binary, in alternating rounds; it has run before, so its compiled code is cached. The capture hook spools what a host reports after a command. Loading vectors: opening and the first semantic recall in a new process, minus the same in an empty store. Server and model: their resident memory together, after fifty new questions and twenty new memories, ten seconds later.",
  },
];

/** By set, way and category. */
type Quality = Record<string, Record<string, Record<string, Record<string, number>>>>;

const WAYS = ["floor", "sqlite-vec", "keyword", "semantic", "soft", "rrf", "hybrid"];
const MEASURES = {
  "top 1": "hit1",
  "nDCG@10": "ndcg10",
  "R@5": "recall5",
  "R@10": "recall10",
  "hit@5": "hit5",
  MRR: "mrr",
};

interface Saved {
  result: Result | null;
  quality: Quality | null;
  reliability: Record<string, Reliability> | null;
  soak: Soak | null;
}

/** What single files of the soak lane printed. */
interface Soak {
  date: string;
  rows: { what: string; amount: string; measured: string; load: string }[];
}

function reportPage({ result, quality, reliability, soak }: Saved): string {
  const speed = result ? speedText(result) : "Nothing has been measured yet.\n";
  const parts = [quality ? qualityText(quality) : "", reliability ? reliabilityText(reliability) : ""];
  if (soak) parts.push(soakText(soak));
  return `# Benchmarks\n\n${speed}\n${parts.join("\n")}`;
}

function speedText(result: Result): string {
  const { rows, versions } = result;
  const named = PARTIES.flatMap((name) => (versions[name] ? [`${TITLES[name]} ${versions[name]}`] : []));
  return [
    `Measured on ${describeMachine(result)}. ${named.join(", ")}.`,
    "A number in brackets is a peer's time or size relative to ours: 5 × is five times as much. All parties get the same texts, vectors and questions in the same run. A peer that could not be filled in time is shown with the size it reached, without a ratio. Rows of one part and size are from one run; those of a million items may be from an earlier one.",
    "## Budgets",
    budgetTable(rows),
    ...SECTIONS.flatMap((section) => sectionText(section, rows)),
  ].join("\n\n");
}

function budgetTable(rows: readonly Row[]): string {
  const kept = linesOf(rows).flatMap(({ of }) => (of.stele?.budget ? [of.stele] : []));
  return table(
    ["what", "items", "measured", "budget", ""],
    kept.map((row) => [row.what, sizeText(row.size), measured(row), budgetText(row), verdict(row)]),
  );
}

function sectionText({ title, parts, text }: (typeof SECTIONS)[number], all: readonly Row[]): string[] {
  const rows = all.filter(({ part }) => parts.includes(part));
  if (rows.length === 0) return [];
  const peers = partiesIn(rows).filter((name) => name !== "stele");
  const lines = linesOf(rows).map(({ what, size, of }) => [
    ...[what, sizeText(size), of.stele ? measured(of.stele) : ""],
    ...peers.map((name) => (of[name] ? beside(of[name], rows) : "")),
  ]);
  return [`## ${title}`, text, table(["what", "items", "Stele", ...peers.map((name) => TITLES[name])], lines)];
}

function qualityText(quality: Quality): string {
  const rows = Object.entries(quality).flatMap(([set, ways]) =>
    WAYS.flatMap((way) => {
      const all = ways[way]?.["all"];
      if (!all) return [];
      const numbers = Object.values(MEASURES).map((name) => (all[name] ?? NaN).toFixed(3));
      return [[set, way, ...numbers, String(all["questions"] ?? "")]];
    }),
  );
  return [
    "\n## Quality",
    "Question sets, written and asked with the shipped code (`npm run bench:quality`); `memories` was written for this bench, the others are public. The floor is plain FTS5; hybrid is the default of recall.",
    table(["set", "way", ...Object.keys(MEASURES), "questions"], rows),
  ].join("\n\n");
}

function reliabilityText(reliability: Record<string, Reliability>): string {
  const sets = Object.keys(reliability);
  const ranges = Array.from({ length: 10 }, (_, index) => [
    `${(index / 10).toFixed(1)} to ${((index + 1) / 10).toFixed(1)}`,
    ...sets.map((set) => {
      const { hits = 0, right = 0 } = reliability[set]?.ranges[index] ?? {};
      return hits === 0 ? "" : `${right.toFixed(2)} (${hits})`;
    }),
  ]);
  const first = sets.map((set) => {
    const { right, wrong, unanswered } = reliability[set]!.first;
    const cell = ({ questions, mean, passed }: typeof right) =>
      questions === 0 ? "" : `${mean.toFixed(2)}, ${percent(passed)} (${questions})`;
    const { passed, inversions } = reliability[set]!;
    return [
      set,
      cell(right),
      cell(wrong),
      cell(unanswered),
      `${percent(passed.right)} of ${passed.hits}`,
      String(inversions),
    ];
  });
  return [
    "\n## Relevance",
    "How many of the hits in a range of relevance answer the question, and how many hits there were. Ten hits a question, questions that nothing answers included.",
    table(["relevance", ...sets], ranges),
    "The first hit by whether it is right, or whether nothing answers the question: mean relevance, and how many reach 0.35. Then the share of all hits from 0.35 on that are right, and neighbouring hits of one shelf whose relevance rises by 0.1 or more for no named reason.",
    table(["set", "first is right", "first is wrong", "nothing answers", "right from 0.35 on", "inversions"], first),
  ].join("\n\n");
}

function soakText({ date, rows }: Soak): string {
  return [
    "\n## Soak",
    `Single files of the soak lane, several at a time, with low priority and beside other work on two cores, ${date}; copied from what they printed. The erasures ran on a disk in memory. The other runs of purges are from a variant of the test that is not kept. The load is that of the last minute and includes the writers themselves.`,
    table(
      ["what", "amount", "measured", "load"],
      rows.map(({ what, amount, measured, load }) => [what, amount, measured, load]),
    ),
  ].join("\n\n");
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

function table(head: readonly string[], rows: readonly string[][]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

async function renderReport(): Promise<string> {
  const read = <Kept>(path: URL) => (existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Kept) : null);
  const page = reportPage({
    result: existsSync(SAVED) ? readResult() : null,
    quality: read<Quality>(QUALITY),
    reliability: read<Record<string, Reliability>>(RELIABILITY),
    soak: read<Soak>(SOAK),
  });
  return format(`${NOTE}\n\n${page}`, { ...(await resolveConfig(PAGE)), parser: "markdown" });
}

export async function writeReport(): Promise<void> {
  writeFileSync(PAGE, await renderReport());
}

async function main(): Promise<void> {
  const { values } = called({
    script: "bench:report",
    what: "Rewrites docs/benchmarks.md from the saved results.",
    options: { check: { type: "boolean", what: "writes nothing; exits with 1 if it is stale" } },
  });
  if (!values.check) return writeReport();
  if (existsSync(PAGE) && readFileSync(PAGE, "utf8") === (await renderReport())) return;
  console.error("docs/benchmarks.md is stale: run `npm run bench:report`.");
  process.exitCode = 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
