/**
 * `stele doctor`: says how everything is, and mends it when asked to.
 *
 * Ends with 0 when nothing needs a person, with 1 when something does, with 5 when it could
 * not look. A damaged store is made anew only with a person's word, or with `--yes`;
 * a store without a project is given to one only with a person's word.
 */
import { parseArgs } from "node:util";
import { Failure, toFailure } from "../../errors.ts";
import type { Finding, Remedy } from "../../model/care/finding.ts";
import { promptAt } from "./prompt.ts";
import { terminal, type Io, type Terminal } from "./terminal.ts";

export interface Doctor {
  examine(): Promise<Finding[]>;
  /** Answers what was done. */
  treat(remedy: Remedy): Promise<string>;
}

export interface DoctorOptions {
  io: Io;
  /** Whether a person sits at the terminal, rather than a program that types into it. */
  attended: boolean;
  /** Loads what the doctor looks with; where that fails, that is the finding. */
  open(options: { project: string | undefined }): Promise<Doctor>;
}

interface Flags {
  recover: boolean;
  yes: boolean;
  json: boolean;
  project: string | undefined;
}

const EXIT_PROBLEM = 1;
const ROUNDS = 2;

export async function runDoctor(argv: readonly string[], options: DoctorOptions): Promise<number> {
  const screen = terminal(options.io, { json: argv.includes("--json") });
  try {
    return await visit(flagsOf(argv), options, screen);
  } catch (thrown) {
    return await screen.failure(toFailure(thrown));
  }
}

async function visit(flags: Flags, options: DoctorOptions, screen: Terminal): Promise<number> {
  const opened = await options.open({ project: flags.project }).catch(asFinding);
  if ("remedy" in opened) return tell([opened], [], flags, screen);
  const done: string[] = [];
  let findings = await opened.examine();
  // What is mended may bring to light what else there is to mend.
  for (let round = 1; flags.recover && round <= ROUNDS; round += 1) {
    const remedies = await agreedOf(
      findings.flatMap(({ remedy }) => remedy ?? []),
      flags,
      options,
    );
    if (remedies === null && round === 1)
      throw new Failure("refused", "Nothing was changed.", "Run it again when you are ready.");
    if (remedies === null || remedies.length === 0) break;
    for (const remedy of remedies) done.push(await opened.treat(remedy));
    findings = await opened.examine();
  }
  return tell(findings, done, flags, screen);
}

/** A native module that does not fit is what a doctor is asked about. A failure of ours is not. */
function asFinding(thrown: unknown): Finding {
  if (thrown instanceof Failure) throw thrown;
  const message = `The program cannot be loaded: ${(thrown as Error).message.split("\n")[0]}`;
  const next = "Reinstall Stele with the Node version that runs it.";
  return { check: "program", state: "problem", message, next, remedy: null };
}

/**
 * Making a store anew replaces a file, so a person must have said so; closing and clearing harms nobody. Whose memory
 * a store is only a person knows, and nobody beforehand. Null when a person does not want it.
 */
async function agreedOf(remedies: readonly Remedy[], flags: Flags, options: DoctorOptions): Promise<Remedy[] | null> {
  const ask = promptAt(options.io, options);
  const confirm = async (lines: readonly string[], label: string) => {
    const reply = await ask!({ message: lines.join("\n"), fields: { agreed: { kind: "confirm", label } } });
    return reply.action === "accept" && reply.values["agreed"] === true;
  };
  const anew = remedies.flatMap((remedy) => (remedy.kind === "recover" ? [`  ${remedy.path}`] : []));
  if (anew.length > 0 && !flags.yes) {
    if (!ask)
      throw new Failure("refused", "Rebuilding a store needs confirmation.", "Add --yes to confirm in advance.");
    const lines = ["The following will be rebuilt; damaged files are kept:", ...anew];
    if (!(await confirm(lines, "Do it now?"))) return null;
  }
  const agreed: Remedy[] = [];
  for (const remedy of remedies) {
    if (remedy.kind !== "adopt") agreed.push(remedy);
    else if (
      ask &&
      (await confirm([`${remedy.path} belongs to no known project.`], `Is it the memory of ${remedy.root}?`))
    )
      agreed.push(remedy);
  }
  return agreed;
}

async function tell(
  findings: readonly Finding[],
  done: readonly string[],
  { json }: Flags,
  screen: Terminal,
): Promise<number> {
  const isWell = findings.every(({ state }) => state !== "problem");
  const told = findings.map(({ remedy: _, ...finding }) => finding);
  if (json) await screen.document({ ok: isWell, findings: told, done });
  else await screen.text([...done, ...findings.map(line)].join("\n"));
  return isWell ? 0 : EXIT_PROBLEM;
}

function line({ state, check, message, next }: Finding): string {
  const first = `${state.padEnd(7)}  ${check.padEnd(9)}  ${message}`;
  return next === null ? first : `${first}\n${" ".repeat(20)}${next}`;
}

function flagsOf(argv: readonly string[]): Flags {
  const flag = { type: "boolean", default: false } as const;
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { recover: flag, yes: flag, json: flag, project: { type: "string" } },
    });
    return { ...values, project: values.project };
  } catch (thrown) {
    throw new Failure("invalid_input", (thrown as Error).message, "See `stele doctor --help`.", { cause: thrown });
  }
}
