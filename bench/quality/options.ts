/** What was asked for on the command line. */
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type ParseArgsConfig, parseArgs } from "node:util";
import { Failure } from "../../src/errors.ts";
import type { Material } from "./entries.ts";

export const SETS: Record<string, Material> = {
  locomo: "turns",
  "lme-evidence-pool": "turns",
  "locomo-session": "sessions",
  "entire-commit-session": "sessions",
  "cosqa-dev": "code",
  "swe-issue-file-py": "code",
  scifact: "prose",
};

const DEFAULT_HOME = join(tmpdir(), "stele-bench-quality");

export const HELP = `How well recall finds what answers, on public question sets.

  npm run bench:quality -- [sets…] [--home FOLDER] [--json] [--save]

  sets      some of ${Object.keys(SETS).join(", ")}; all when omitted
  --home    where stores and vectors are kept between runs; ${DEFAULT_HOME} when omitted
  --json    prints the measures as JSON, rather than tables
  --save    keeps them as the baseline that later runs are compared with
  --help    prints this

STELE_BENCH_DATA names the folder of the sets.
`;

const OPTIONS = {
  home: { type: "string" },
  json: { type: "boolean" },
  save: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const satisfies ParseArgsConfig["options"];

export interface Options {
  sets: [name: string, material: Material][];
  home: string;
  json: boolean;
  save: boolean;
  help: boolean;
}

export function readOptions(args: string[]): Options {
  const { values, positionals } = parsed(args);
  const { home, json = false, save = false, help = false } = values;
  const names = positionals.length > 0 ? [...new Set(positionals)] : Object.keys(SETS);
  return { sets: names.map(setNamed), home: resolve(home || DEFAULT_HOME), json, save, help };
}

function setNamed(name: string): [string, Material] {
  const material = Object.hasOwn(SETS, name) ? SETS[name] : undefined;
  if (material) return [name, material];
  throw new Failure("invalid_input", `There is no set "${name}".`, `Known are ${Object.keys(SETS).join(", ")}.`);
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS });
  } catch (thrown) {
    // Behind the first sentence stands advice for programmers.
    const [message] = (thrown as Error).message.split(/[.\n]/);
    throw new Failure("invalid_input", `${message}.`, "--help lists the options.", { cause: thrown });
  }
}
