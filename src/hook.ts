/**
 * The hook: leaves what a host reports in the project's spool, and then lets memory be handed to the session.
 *
 * An entry of its own, because it runs on every step of an agent: it opens no store and loads no schema. Three events of a
 * session, its start, a prompt and a failed tool, are answered by `hook-context.ts`, after the report is spooled. It never fails: a
 * fault is one line in a log. The input is read in any case, so that no host fails to write it.
 */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ENVIRONMENT, homeFolder, readSurroundings } from "./app/environment.ts";
import { flagOf, type HookSettings, hookSettings, takeHome } from "./app/hook-settings.ts";
import { type ContextRequest, isContextEvent, takesContext } from "./briefing/hook-answer.ts";
import { refuseHalf } from "./encryption/left-stores.ts";
import { recordIn } from "./encryption/record-file.ts";
import type { EncryptionRecord } from "./encryption/record.ts";
import { readHead, repositoryKey } from "./files/git/git.ts";
import { systemClock } from "./machine/clock.ts";
import { leaveOpen, readInput } from "./sessions/hook-input.ts";
import { faultName, logHook } from "./sessions/hook-log.ts";
import { makeReport, readHook } from "./sessions/hook-report.ts";
import { REPORT, type Seal, spool, spoolFolder } from "./sessions/inbox-writer.ts";
import type { Spooled } from "./sessions/session.ts";

/** Loads what opens stores, and lets it answer. */
export type AnswerContext = (request: ContextRequest) => Promise<unknown>;

/** Runs `stele hook …` and returns its exit code, which is always the same. */
export async function main([, ...argv]: readonly string[], answer?: AnswerContext): Promise<number> {
  try {
    takeHome(argv);
    const { text, isOpen } = await readInput();
    const seen = attempt(() => reportOf(text, argv));
    const settings = seen && attempt(hookSettings);
    const record = seen && attempt(() => ({ found: wholeRecordIn(homeFolder()) }));
    if (seen && record && settings?.mayCapture) {
      const seal = await sealFor(record.found);
      attempt(() => capture(seen, seal));
    }
    const request = seen && settings && attempt(() => requestOf(seen, settings));
    if (request && answer) await answer(request).catch(complain);
    if (isOpen) leaveOpen(ENVIRONMENT);
  } catch (thrown) {
    complain(thrown);
  }
  return 0;
}

/** Null if it fails, which is logged. */
function attempt<Result>(work: () => Result): Result | null {
  try {
    return work();
  } catch (thrown) {
    complain(thrown);
    return null;
  }
}

const complain = (thrown: unknown): void => log(`A hook failed: ${faultName(thrown)}.`);
const log = (sentence: string): void => logHook(homeFolder, sentence);

interface Seen {
  report: Spooled;
  /** A folder of the project. */
  project: string;
  /** Where the host works; it may be another worktree. */
  folder: string;
}

/** Null if there is nothing to report; what should not have come is logged. */
function reportOf(input: string | null, argv: readonly string[]): Seen | null {
  const refuse = (sentence: string): null => {
    log(sentence);
    return null;
  };
  if (input === null) return refuse("A host reported too much at once.");
  const payload = parsed(input);
  if (payload === undefined) return input.trim() === "" ? null : refuse("A host reported something other than JSON.");
  const observed = readHook({ ...wordsOf(argv), payload });
  if (observed === null) return null;
  const { cwd, hostProject } = readSurroundings();
  const folders = [observed.cwd, hostProject, cwd].filter((path) => path !== null).filter(isFolder);
  const [folder] = folders;
  if (folder === undefined) return refuse("The folder that a host works in is gone.");
  // The host's folder moves with every `cd`, its project stays. Worktrees of one repository have one key anyway.
  const project = hostProject !== null && folders.includes(hostProject) ? hostProject : folder;
  const transcriptBytes = observed.transcript === null ? null : sizeOf(observed.transcript);
  const report = makeReport(observed, { at: systemClock.now(), cwd: folder, ...readHead(folder), transcriptBytes });
  return report && { report, project, folder };
}

function capture({ report, project }: Seen, seal: Seal | undefined): void {
  const complaint = spool(report, spoolFolder(homeFolder(), repositoryKey(project)), { seal });
  if (complaint !== null) log(complaint);
}

/** An encrypted memory without its record must not look like one that was never encrypted: reports would be plain. */
function wholeRecordIn(home: string): EncryptionRecord | null {
  const record = recordIn(home);
  if (record === null) refuseHalf(home, record);
  return record;
}

/** Cryptography is loaded only where the memory is encrypted. */
async function sealFor(record: EncryptionRecord | null): Promise<Seal | undefined> {
  const reports = record?.key?.reports;
  if (reports === undefined) return undefined;
  const { sealReport } = await import("./encryption/reports.ts");
  return (text) => sealReport(text, reports);
}

/** Null if the host would not hand it on, or a setting says no. */
function requestOf({ report, project, folder }: Seen, { mayInject }: HookSettings): ContextRequest | null {
  const { id, host, session, text, transcript } = report;
  const event = contextEventOf(report);
  if (!isContextEvent(event) || !mayInject[event] || !takesContext(host, event)) return null;
  // Without a memory there is nothing to hand over, unless an earlier session left something to begin one with.
  const isBegun = existsSync(join(homeFolder(), "global.db")) || recordIn(homeFolder()) !== null;
  if (!isBegun && (event !== "session_start" || !hasOthers(id, project))) return null;
  // The branch is that of the worktree.
  const isOfProject = folder !== project && repositoryKey(folder) === repositoryKey(project);
  return { id, event, host, session, text, transcript, project: isOfProject ? folder : project };
}

/** What a tool of Codex printed does not say whether it failed; words that failures have are enough to look further. */
const contextEventOf = ({ event, host, text }: Spooled): Spooled["event"] =>
  host === "codex" && event === "tool" && FAILS.test(text ?? "") ? "failure" : event;

const FAILS = /error|fail|fatal|panic|exception|traceback|not found|no such|denied|cannot|can't|undefined|unknown/i;

/** Whether the spool has other reports than this one. */
function hasOthers(id: string, project: string): boolean {
  const folder = spoolFolder(homeFolder(), repositoryKey(project));
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.some((name) => REPORT.test(name) && !name.startsWith(id));
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
  const event = argv.find((word, index) => !word.startsWith("-") && !VALUED.includes(argv[index - 1] ?? ""));
  return { event: event ?? null, host: flagOf("--host", argv) };
}

const VALUED: readonly string[] = ["--host", "--home"];

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
