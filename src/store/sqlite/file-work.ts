/**
 * Compacts and checks whole files.
 *
 * A large file is processed in a thread, so that the event loop stays free. Starting a thread
 * takes longer than processing a small file, which is therefore done directly.
 */
import { once } from "node:events";
import { statSync } from "node:fs";
import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { StoreKey } from "../../encryption/store-key.ts";
import { Failure } from "../../errors.ts";
import { SHELVES } from "../../memory/shelves.ts";
import { BUSY_PATIENCE_MS, BUSY_TIMEOUT_MS, translate } from "./database.ts";
import {
  compaction,
  type Examined,
  faultOf,
  type FileTask,
  type FileTaskAnswer,
  LOOK_AGAIN_MS,
  openTask,
  runTask,
} from "./file-tasks.ts";

const WORKER = new URL(`./file-worker${extname(import.meta.url)}`, import.meta.url);
/** Rewriting so much takes less processor time than starting a thread, and holds the event loop up for a tenth of a second. */
const SMALL_FILE_BYTES = 16_000_000;
const PAUSE_MS = 50;

/** Rewrites the file without erased data; false when other processes hold it too long. */
export async function compactFile(
  path: string,
  key: StoreKey | null = null,
  patienceMs = BUSY_PATIENCE_MS,
): Promise<boolean> {
  const answer = await run({ task: "compact", path, key }, patienceMs);
  if ("compacted" in answer) return answer.compacted;
  if ("code" in answer && isBusy(answer.code)) return false;
  throw failureOf(answer, path, key);
}

/** The problems SQLite finds in the file; empty when it is intact. */
export const checkFile = async (path: string, key: StoreKey | null = null): Promise<string[]> =>
  (await examined({ task: "check", path, key })).problems;

/** The same, and what an intact file holds; null if that is nothing yet. */
export const examineWhole = (path: string, key: StoreKey | null, where: { inThread: boolean }): Promise<Examined> =>
  examined({ task: "examine", path, key }, where);

async function examined(order: Pick<FileTask, "task" | "path" | "key">, where?: { inThread: boolean }) {
  const answer = await run(order, BUSY_PATIENCE_MS, where);
  if ("problems" in answer) return answer;
  // SQLITE_ERROR means a missing table, so part of the schema was lost.
  if ("code" in answer && /^SQLITE_(CORRUPT|NOTADB|ERROR)/.test(answer.code))
    return { problems: [answer.message], contents: null };
  throw failureOf(answer, order.path, order.key);
}

/** Writes an encrypted file anew, with the same key, while others use it. `target` is an empty file. */
export async function copyFile(path: string, key: StoreKey, target: string): Promise<void> {
  const answer = await run({ task: "copy", path, key, target }, BUSY_PATIENCE_MS);
  if (!("copied" in answer)) throw failureOf(answer, path, key);
}

const isBusy = (code: string) => /^SQLITE_(BUSY|LOCKED)/.test(code);

async function run(
  wanted: Pick<FileTask, "task" | "path" | "key" | "target">,
  patienceMs: number,
  { inThread } = { inThread: false },
): Promise<FileTaskAnswer> {
  const { path } = wanted;
  const order = { ...wanted, shelves: SHELVES };
  const isSmall = (statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= SMALL_FILE_BYTES;
  if (isSmall && !inThread) return runHere(order, patienceMs);
  const worker = new Worker(WORKER, { workerData: { ...order, timeoutMs: patienceMs } satisfies FileTask });
  return answerOf(worker, path);
}

/** A thread may end without an answer, out of memory for instance; its message alone would be awaited for ever. */
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

/** Waits for a lock without blocking the event loop. */
async function runHere(order: Omit<FileTask, "timeoutMs">, patienceMs: number): Promise<FileTaskAnswer> {
  if (order.task === "compact") return compactHere({ ...order, timeoutMs: patienceMs });
  const started = Date.now();
  for (;;) {
    const answer = runTask({ ...order, timeoutMs: BUSY_TIMEOUT_MS });
    const isHeld = "code" in answer && isBusy(answer.code);
    if (!isHeld || Date.now() - started >= patienceMs) return answer;
    await sleep(PAUSE_MS);
  }
}

async function compactHere(order: FileTask): Promise<FileTaskAnswer> {
  let db: ReturnType<typeof openTask> | null = null;
  try {
    db = openTask(order);
    const { step } = compaction(db, order);
    for (;;) {
      const done = step();
      if (done !== null) return done;
      await sleep(LOOK_AGAIN_MS);
    }
  } catch (thrown) {
    return faultOf(thrown);
  } finally {
    db?.close();
  }
}

function failureOf(answer: FileTaskAnswer, path: string, key: StoreKey | null): unknown {
  const { code = "", message = "" } = answer as { code?: string; message?: string };
  return translate(Object.assign(new Error(message), { code }), path, key);
}
