/**
 * Overview: the output of `stele --help`.
 *
 * Pure and uncoloured, because it is also stored as a file, so that help can be printed
 * without loading anything.
 */
import { GROUPS, type AnyOperation } from "../../operations/operation.ts";
import { columns } from "./columns.ts";
import { PROCESS_COMMANDS } from "./commands.ts";
import { verbOf } from "./fields.ts";

export function overview(catalog: readonly AnyOperation[]): string {
  const sections = GROUPS.map((group) => {
    const verbs = catalog.filter((op) => op.group === group);
    return verbs.length === 0
      ? ""
      : section(
          group,
          verbs.map((op) => [verbOf(op), inOneRow(op.summary)]),
        );
  }).filter((text) => text !== "");
  const processes = PROCESS_COMMANDS.map(({ name, summary }) => [name, inOneRow(summary)] as const);
  return [
    "Stele, the memory of AI coding agents: local, private, fast, honest.",
    "Usage: stele <verb> [arguments] [--flags]",
    ...sections,
    section("processes", processes),
    section("flags of every verb", [
      ["--project DIR", "Work on this project instead of the current directory."],
      ["--json", "Print exactly one JSON document."],
      ["--dry-run", "Show what would change without changing it (verbs that write)."],
      ["--help", "Show the verb's arguments, flags and examples."],
    ]),
    "Write `-` in place of a text to read it from standard input.\n`stele <verb> --help` tells more; `stele --version` prints the version.\n",
  ].join("\n\n");
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  return `${title}\n${columns(rows)}`;
}

/** With the name of the longest verb before it, this fits the narrowest usual terminal. */
const ROW_CHARACTERS = 62;
const LEAST_CHARACTERS = 12;

/** The first sentence; of a long one what stands before its details. The help of the verb itself has the rest. */
function inOneRow(text: string): string {
  const sentence = /^.*?\.(?= |$)/s.exec(text)?.[0] ?? text;
  if (sentence.length <= ROW_CHARACTERS) return sentence;
  const ends = [/[:;]|(?= \()/g, /,/g].flatMap((sign) => [...sentence.matchAll(sign)].map(({ index }) => index));
  const end = ends.find((index) => index < ROW_CHARACTERS && index >= LEAST_CHARACTERS);
  return end === undefined ? sentence : `${sentence.slice(0, end)}.`;
}
