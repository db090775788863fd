/**
 * How well redaction recognises secrets: recall and false alarms on our own lines and on test lines of two
 * scanners, and redactions per thousand documents of ordinary code and prose.
 *
 * A line labelled "no secret" is so only for one scanner's rule, so a few false alarms are real keys.
 * Run: npm run bench:secrets -- --help.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { redact } from "../src/redaction/rules/redaction.ts";
import { called } from "./command-line.ts";
import { type CaseList, isJudgedRight, readSecretCases, tallyOf } from "./secret-cases.ts";
import { drawCases } from "./secret-draws.ts";

type Case = { id: string; text: string; is_secret: boolean; rule: string; source: string };
type Tally = { secrets: number; found: number; harmless: number; alarms: number };

const data = process.env["STELE_BENCH_DATA"] ?? resolve(import.meta.dirname, "../../shared/bench");
const { values } = called({
  script: "bench:secrets",
  what: "Measures how well redaction recognises secrets.",
  options: { verbose: { type: "boolean", what: "shows missed secrets and false alarms" } },
  note: "STELE_BENCH_DATA names the folder of the data.",
});
const { verbose } = values;
/** Of each shape, so many for every name and form. */
const DRAWS = 4;
const ORDINARY = ["cosqa-dev", "swe-issue-file-py", "scifact", "docs-cosmos-adr", "entire-commit-session"];
// Labelled secret by their scanner, yet harmless: masks, addresses, unfilled templates.
const OPENS_NOTHING =
  /x{8}|^\D*\d{1,3}(?:\.\d{1,3}){3}\D|^\d{1,3}(?:\.\d{1,3}){3}$|^["']\{secret\}["']$|"service_account"/;

function readLines<T>(path: string): T[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T);
}

function share(part: number, whole: number): string {
  return whole === 0 ? "   -" : (part / whole).toFixed(3);
}

function count(cases: readonly Case[]): Tally {
  const tally: Tally = { secrets: 0, found: 0, harmless: 0, alarms: 0 };
  for (const { text, is_secret } of cases) {
    const redacted = redact(text).redactions.length > 0;
    tally[is_secret ? "secrets" : "harmless"]++;
    if (redacted) tally[is_secret ? "found" : "alarms"]++;
  }
  return tally;
}

function printTally(name: string, { secrets, found, harmless, alarms }: Tally): void {
  console.log(
    `${name.padEnd(42)} recall ${share(found, secrets)} (${found}/${secrets})  false alarms ${share(alarms, harmless)} (${alarms}/${harmless})`,
  );
}

function measureCases(cases: readonly Case[]): void {
  printTally("all", count(cases));
  printTally("without masks, addresses and templates", count(cases.filter(({ text }) => !OPENS_NOTHING.test(text))));
  for (const [rule, group] of Map.groupBy(cases, ({ rule }) => rule)) printTally(`  ${rule}`, count(group));
  if (!verbose) return;
  for (const { id, rule, text, is_secret } of cases) {
    const { redactions } = redact(text);
    if (is_secret && redactions.length === 0)
      console.log(`miss   ${id} ${rule}: ${JSON.stringify(text.slice(0, 160))}`);
    if (!is_secret && redactions.length > 0)
      console.log(`alarm  ${id} ${rule} by ${redactions[0]!.rule}: ${JSON.stringify(text.slice(0, 160))}`);
  }
}

/** Shows each redaction with the words around it, for reading in a terminal. */
function showSamples(id: string, before: string, after: string): void {
  const beforeLines = new Set(before.split("\n"));
  for (const line of after.split("\n")) {
    const at = line.indexOf("[redacted:");
    if (at >= 0 && !beforeLines.has(line)) console.log(`  ${id}: ${line.slice(Math.max(0, at - 80), at + 60)}`);
  }
}

function measureOrdinary(set: string): void {
  const path = join(data, set, "corpus.jsonl");
  if (!existsSync(path)) return;
  const documents = readLines<{ id: string; text: string }>(path);
  const characters = documents.reduce((sum, { text }) => sum + text.length, 0);
  let redactions = 0;
  const startedMs = performance.now();
  for (const { id, text } of documents) {
    const redacted = redact(text);
    redactions += redacted.redactions.reduce((sum, { count }) => sum + count, 0);
    if (verbose && redacted.redactions.length > 0) showSamples(id, text, redacted.text);
  }
  const elapsedMs = performance.now() - startedMs;
  console.log(
    `${set.padEnd(24)} ${redactions} redactions in ${documents.length} documents, ${((redactions / documents.length) * 1000).toFixed(2)} per 1,000; ${((elapsedMs / characters) * 1e6).toFixed(0)} ms per million characters`,
  );
}

/** Our own lines, by the half that the rules were developed on and the one that is only measured. */
function measureOwn(set: CaseList): void {
  const cases = readSecretCases(set);
  const clean = (text: string) => redact(text).text;
  for (const [half, ofHalf] of Map.groupBy(cases, ({ half }) => half)) {
    for (const [kind, group] of [
      [`${set}, ${half}`, ofHalf] as const,
      ...Map.groupBy(ofHalf, ({ kind }) => `  ${kind}`),
    ]) {
      const { secrets, found, lookAlikes, alarms } = tallyOf(group, clean);
      printTally(kind, { secrets, found, harmless: lookAlikes, alarms });
    }
  }
  for (const one of verbose ? cases : [])
    if (!isJudgedRight(one, clean(one.text))) console.log(`wrong  ${one.half} ${one.kind}: ${clean(one.text)}`);
}

/** Random values under telling names: which shapes are missed, and under which names and in which forms most. */
function measureDrawn(): void {
  const clean = (text: string) => redact(text).text;
  const cases = drawCases(DRAWS).map((one) => ({ ...one, isMissed: !isJudgedRight(one, clean(one.text)) }));
  const printMisses = (title: string, group: typeof cases) => {
    const missed = group.filter(({ isMissed }) => isMissed).length;
    console.log(`${title.padEnd(48)} missed ${share(missed, group.length)} (${missed}/${group.length})`);
  };
  printMisses("drawn at random, all", cases);
  for (const [kind, group] of Map.groupBy(cases, ({ kind }) => kind)) printMisses(`  ${kind}`, group);
  if (!verbose) return;
  for (const [name, group] of Map.groupBy(cases, ({ name }) => name)) printMisses(`  under ${name}`, group);
  for (const [form, group] of Map.groupBy(cases, ({ form }) => form))
    printMisses(`  as ${JSON.stringify(form)}`, group);
}

measureOwn("structured");
measureOwn("tokens");
measureOwn("prose");
measureOwn("mixed");
measureOwn("named");
measureDrawn();
const casesPath = join(data, "secrets", "cases.jsonl");
if (existsSync(casesPath)) {
  measureCases(readLines<Case>(casesPath));
  for (const set of ORDINARY) measureOrdinary(set);
} else {
  console.log(`No data at ${casesPath}; set STELE_BENCH_DATA.`);
}
