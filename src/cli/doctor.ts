/**
 * `stele doctor`: reports the state of everything and repairs it when asked to.
 *
 * Exits with 0 when nothing needs attention, 1 when something does, 5 when it could not
 * run. A store is restored only with a person's consent or `--yes`; an orphaned
 * store, or that of a project which is gone, is assigned to a project only with a person's consent.
 */
import type { Ask } from "../catalog/dispatch.ts";
import { Failure, toFailure } from "../errors.ts";
import { type Finding, recovering, type Remedy, reportOf } from "../maintenance/finding.ts";
import { commandFlags } from "./commands.ts";
import { promptAt } from "./prompt.ts";
import { type Io, type Terminal, terminal } from "./terminal.ts";

export interface Doctor {
  examine(): Promise<Finding[]>;
  /** Returns what was done. */
  treat(remedy: Remedy): Promise<string>;
}

interface DoctorOptions {
  io: Io;
  /** Whether a person, not a program, is at the terminal. */
  attended: boolean;
  /** Loads the doctor; a failure to load becomes a finding. */
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
  if ("remedy" in opened) return report([opened], [], flags, screen);
  const done: string[] = [];
  let findings = await opened.examine();
  // A repair may reveal more to repair.
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
  return report(findings, done, flags, screen);
}

/** An incompatible native module is a finding; a deliberate failure of ours is not. */
function asFinding(thrown: unknown): Finding {
  if (thrown instanceof Failure) throw thrown;
  const message = `The program cannot be loaded: ${(thrown as Error).message.split("\n")[0]}`;
  const next = "Reinstall Stele with the Node version that runs it.";
  return { check: "program", state: "problem", message, next, remedy: null };
}

/**
 * Restoring a store replaces a file, so a person must agree; making files private and removing leftovers is harmless.
 * Only a person knows which project an orphaned store belongs to, so `--yes` does not cover that. Null when declined.
 */
async function agreedOf(remedies: readonly Remedy[], flags: Flags, options: DoctorOptions): Promise<Remedy[] | null> {
  const ask = promptAt(options.io, options);
  const confirm = async (lines: readonly string[], label: string) => {
    const reply = await ask!({ message: lines.join("\n"), fields: { agreed: { kind: "confirm", label } } });
    return reply.action === "accept" && reply.values["agreed"] === true;
  };
  const restored = remedies.flatMap((remedy) => (remedy.kind === "recover" ? [`  ${recovering(remedy)}`] : []));
  if (restored.length > 0 && !flags.yes) {
    if (!ask) throw new Failure("refused", "Restoring a store needs confirmation.", "Add --yes to confirm in advance.");
    const lines = [
      "The following will be restored. What was written after a backup is lost; damaged files are kept:",
      ...restored,
    ];
    if (!(await confirm(lines, "Do it now?"))) return null;
  }
  const agreed: Remedy[] = [];
  for (const remedy of remedies) {
    if (remedy.kind === "take over") agreed.push(...(ask ? await settlement(remedy, ask) : []));
    else if (remedy.kind !== "adopt") agreed.push(remedy);
    else if (
      ask &&
      (await confirm([`${remedy.path} belongs to no known project.`], `Does it belong to ${remedy.root}?`))
    )
      agreed.push(remedy);
  }
  return agreed;
}

/** A "no" is remembered; whoever cancels is asked again the next time. */
async function settlement(remedy: Extract<Remedy, { kind: "take over" | "tell apart" }>, ask: Ask): Promise<Remedy[]> {
  const message = [
    `${remedy.from} is gone. ${remedy.root} has the same remote and first commit, but anybody can copy both.`,
    "If you say yes, it gets that memory; what was remembered here since is set aside.",
  ].join("\n");
  const label = `Is ${remedy.root} the same project?`;
  const reply = await ask({ message, fields: { same: { kind: "confirm", label } } });
  if (reply.action !== "accept") return [];
  return [{ ...remedy, kind: reply.values["same"] === true ? "take over" : "tell apart" }];
}

async function report(
  findings: readonly Finding[],
  done: readonly string[],
  { json }: Flags,
  screen: Terminal,
): Promise<number> {
  const shown = reportOf(findings);
  if (json) await screen.document({ ...shown, done });
  else await screen.text([...done, ...findings.map(line)].join("\n"));
  return shown.ok ? 0 : EXIT_PROBLEM;
}

function line({ state, check, message, next }: Finding): string {
  const first = `${state.padEnd(7)}  ${check.padEnd(9)}  ${message}`;
  return next === null ? first : `${first}\n${" ".repeat(20)}${next}`;
}

function flagsOf(argv: readonly string[]): Flags {
  const flag = { type: "boolean", default: false } as const;
  const options = { recover: flag, yes: flag, json: flag, project: { type: "string" } } as const;
  const { values } = commandFlags("doctor", argv, { options });
  return { ...values, project: values.project };
}
