/** Options of the command line. */
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Failure } from "../../src/errors.ts";
import { readCall } from "../command-line.ts";
import type { Material } from "./entries.ts";

export const SETS: Record<string, Material> = {
  locomo: "turns",
  "lme-evidence-pool": "turns",
  "locomo-session": "sessions",
  "entire-commit-session": "sessions",
  "cosqa-dev": "code",
  "swe-issue-file-py": "code",
  scifact: "prose",
  memories: "memories",
};

export const DEFAULT_HOME = join(tmpdir(), "stele-bench-quality");

export const COMMAND = {
  script: "bench:quality",
  what: "Measures the quality of recall on public question sets.",
  operands: { name: "sets", what: `some of ${Object.keys(SETS).join(", ")}; all when omitted` },
  options: {
    home: {
      type: "string",
      value: "FOLDER",
      what: "where stores and vectors are kept between runs",
      default: DEFAULT_HOME,
    },
    store: { type: "string", value: "ENGINE", what: "sqlite or postgres", default: "sqlite" },
    json: { type: "boolean", what: "prints the measures as JSON, rather than tables" },
    save: { type: "boolean", what: "saves them as the baseline for later runs" },
  },
  note: "STELE_BENCH_DATA names the folder of the sets, STELE_TEST_POSTGRES a server in place of one of our own.",
} as const;

export interface Options {
  sets: [name: string, material: Material][];
  home: string;
  json: boolean;
  save: boolean;
  isOnPostgres: boolean;
  isHelp: boolean;
}

export function readOptions(args: string[]): Options {
  const { values, operands, isHelp } = readCall(COMMAND, args);
  const names = operands.length > 0 ? [...new Set(operands)] : Object.keys(SETS);
  const { store = "sqlite", ...rest } = values;
  if (store !== "sqlite" && store !== "postgres")
    throw new Failure("invalid_input", `There is no store "${store}".`, "Known are sqlite and postgres.");
  const isOnPostgres = store === "postgres";
  return { ...rest, isOnPostgres, sets: names.map(setNamed), home: resolve(values.home || DEFAULT_HOME), isHelp };
}

function setNamed(name: string): [string, Material] {
  const material = Object.hasOwn(SETS, name) ? SETS[name] : undefined;
  if (material) return [name, material];
  throw new Failure("invalid_input", `There is no set "${name}".`, `Known are ${Object.keys(SETS).join(", ")}.`);
}
