/**
 * Compacts and checks whole files.
 *
 * A large file is worked on in a thread, so that nobody waits; starting one takes longer than
 * working on a small file, which is done here and now.
 */
import { once } from "node:events";
import { statSync } from "node:fs";
import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Failure } from "../../../errors.ts";
import { SHELVES } from "../../../model/memory/shelf.ts";
import { BUSY_PATIENCE_MS, BUSY_TIMEOUT_MS, translate } from "./database.ts";
import { type FileTask, type FileTaskAnswer, runTask } from "./file-tasks.ts";

const WORKER = new URL(`./file-worker${extname(import.meta.url)}`, import.meta.url);
const SMALL_FILE_BYTES = 2_000_000;
const PAUSE_MS = 50;

/** Rewrites the file without what was erased; false when others hold it too long. */
export async function compactFile(path: string, patienceMs = BUSY_PATIENCE_MS): Promise<boolean> {
  const answer = await run("compact", path, patienceMs);
  if ("compacted" in answer) return answer.compacted;
  if ("code" in answer && isBusy(answer.code)) return false;
  throw failureOf(answer, path);
}

/** What SQLite finds wrong in the file; nothing when it is whole. */
export async function checkFile(path: string): Promise<string[]> {
  const answer = await run("check", path, BUSY_PATIENCE_MS);
  if ("problems" in answer) return answer.problems;
  // A missing table is a schema of which a part was lost.
  if ("code" in answer && /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(answer.code)) return [answer.message];
  throw failureOf(answer, path);
}

const isBusy = (code: string) => /^SQLITE_(BUSY|LOCKED)/.test(code);

async function run(task: FileTask["task"], path: string, patienceMs: number): Promise<FileTaskAnswer> {
  const order = { task, path, shelves: SHELVES };
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= SMALL_FILE_BYTES) return runHere(order, patienceMs);
  const worker = new Worker(WORKER, { workerData: { ...order, timeoutMs: patienceMs } satisfies FileTask });
  return answerOf(worker, path);
}

/** A thread that ends without an answer, for want of memory for instance, would be waited for for ever. */
export async function answerOf(worker: Worker, path: string): Promise<FileTaskAnswer> {
  const ended = new AbortController();
  const silence = once(worker, "exit", { signal: ended.signal }).then(() => {
    throw new Failure("unavailable", `The work on ${path} ended without an answer.`, "Free some memory and try again.");
  });
  try {
    const [answer] = await Promise.race([once(worker, "message", { signal: ended.signal }), silence]);
    return answer as FileTaskAnswer;
  } finally {
    ended.abort();
    await silence.catch(() => undefined);
  }
}

/** A lock is waited for without blocking the event loop. */
async function runHere(order: Omit<FileTask, "timeoutMs">, patienceMs: number): Promise<FileTaskAnswer> {
  const started = Date.now();
  for (;;) {
    const answer = runTask({ ...order, timeoutMs: BUSY_TIMEOUT_MS });
    const isHeld = "code" in answer && isBusy(answer.code);
    if (!isHeld || Date.now() - started >= patienceMs) return answer;
    await sleep(PAUSE_MS);
  }
}

function failureOf(answer: FileTaskAnswer, path: string): unknown {
  const { code = "", message = "" } = answer as { code?: string; message?: string };
  return translate(Object.assign(new Error(message), { code }), path);
}
