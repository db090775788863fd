/**
 * The hook that captures: reads what a host reports and leaves it in the project's spool.
 *
 * An entry of its own, because it runs on every step of an agent: it opens no store and loads no schema. It prints
 * nothing and never fails: a fault is one line in a log. The input is read in any case, so that no host fails to write it.
 */
import { statSync } from "node:fs";
import { mayCapture } from "./app/capture-settings.ts";
import { ENVIRONMENT, homeFolder, readSurroundings } from "./app/environment.ts";
import { leaveOpen, readInput } from "./hosts/hook/input.ts";
import { makeReport } from "./logic/capture/hook/make-report.ts";
import { readHook } from "./logic/capture/hook/read-hook.ts";
import { faultName, logHook } from "./providers/capture/hook-log.ts";
import { spoolFolder } from "./providers/capture/spool-folder.ts";
import { spool } from "./providers/capture/spool-writer.ts";
import { systemClock } from "./providers/clock.ts";
import { repositoryKey } from "./providers/git.ts";

/** Runs `stele hook …` and returns its exit code, which is always the same. */
export async function main([, ...argv]: readonly string[]): Promise<number> {
  try {
    const { text, isOpen } = await readInput();
    tell(() => (mayCapture() ? capture(text, argv) : null));
    if (isOpen) leaveOpen(ENVIRONMENT);
  } catch (thrown) {
    tell(() => `A hook failed: ${faultName(thrown)}.`);
  }
  return 0;
}

/** Logs what the work complains of, or its fault. */
function tell(work: () => string | null): void {
  let complaint: string | null;
  try {
    complaint = work();
  } catch (thrown) {
    complaint = `A hook failed: ${faultName(thrown)}.`;
  }
  if (complaint !== null) logHook(homeFolder, complaint);
}

function capture(input: string | null, argv: readonly string[]): string | null {
  if (input === null) return "A host reported too much at once.";
  const payload = parsed(input);
  if (payload === undefined) return input.trim() === "" ? null : "A host reported something other than JSON.";
  const observed = readHook({ ...wordsOf(argv), payload });
  if (observed === null) return null;
  const { cwd, hostProject } = readSurroundings();
  const folders = [observed.cwd, hostProject, cwd].filter((path) => path !== null).filter(isFolder);
  const [folder] = folders;
  if (folder === undefined) return "The folder that a host works in is gone.";
  // The host's folder moves with every `cd`, its project stays. Worktrees of one repository have one key anyway.
  const project = hostProject !== null && folders.includes(hostProject) ? hostProject : folder;
  const transcriptBytes = observed.transcript === null ? null : sizeOf(observed.transcript);
  const made = makeReport(observed, { at: systemClock.now(), cwd: folder, transcriptBytes });
  return made === null ? null : spool(made, spoolFolder(homeFolder(), repositoryKey(project)));
}

/** Null if there is no such file. */
function sizeOf(path: string): number | null {
  try {
    const found = statSync(path);
    return found.isFile() ? found.size : null;
  } catch {
    return null;
  }
}

/** The message of the fault is dropped: it quotes the input. */
function parsed(input: string): unknown {
  try {
    return JSON.parse(input.replace(/^\ufeff/, ""));
  } catch {
    return undefined;
  }
}

function wordsOf(argv: readonly string[]): { event: string | null; host: string | null } {
  const at = argv.findIndex((word) => word === "--host" || word.startsWith("--host="));
  const host = at === -1 ? null : (argv[at]!.split("=")[1] ?? argv[at + 1] ?? null);
  const event = argv.find((word, index) => !word.startsWith("-") && !(index > 0 && argv[index - 1] === "--host"));
  return { event: event ?? null, host };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
