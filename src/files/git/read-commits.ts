/** Reads commits in a thread that ends: a long history must not hold up others, nor its memory stay. */
import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { CommitHistory, CommitQuery } from "../../world.ts";
import type { HistoryOrder } from "./commits.ts";
import { type GitFolders, headCommit, headFault, storageOf } from "./git.ts";

// Compiled or not, the worker is beside this file and has the same extension.
const WORKER = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
const HEAP_LIMIT_MB = 128;
const PATIENCE_MS = 10_000;
/** Files take ten times as long, and nobody waits for them. */
const PATIENCE_WITH_FILES_MS = 120_000;

const nothing = (degraded: string | null): CommitHistory => ({ commits: [], total: 0, isCut: false, degraded });
const inRepository = (reason: string) => `commits of the repository are incomplete: ${reason}`;

const UNCONFIRMED = "its .git leads to no folder that names this checkout (`git config core.worktree FOLDER` names it)";

export async function readCommits(
  folders: GitFolders | null,
  query: CommitQuery,
  { isUnconfirmed = false } = {},
): Promise<CommitHistory> {
  if (folders === null) return nothing(isUnconfirmed ? inRepository(UNCONFIRMED) : null);
  const { hashBytes, isPartial, refs } = storageOf(folders.common);
  if (refs !== "files") return nothing(inRepository("its branches are not kept in files"));
  const head = headCommit(folders);
  if (head === null) {
    // A branch without a commit has no fault.
    const fault = headFault(folders);
    return nothing(fault && inRepository(fault));
  }
  if (head === query.after) return nothing(null);
  const history = await inThread({ ...query, common: folders.common, head, hashBytes, isPartial });
  return { ...history, degraded: history.degraded && inRepository(history.degraded) };
}

async function inThread(order: HistoryOrder): Promise<CommitHistory> {
  const late = AbortSignal.timeout(order.filesOf ? PATIENCE_WITH_FILES_MS : PATIENCE_MS);
  const worker = new Worker(WORKER, {
    workerData: order,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
  });
  try {
    const [history] = (await once(worker, "message", { signal: late })) as [CommitHistory];
    return history;
  } catch (thrown) {
    return nothing(late.aborted ? "they took too long to read" : (thrown as Error).message);
  } finally {
    await worker.terminate();
  }
}
