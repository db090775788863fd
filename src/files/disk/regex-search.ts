/**
 * Searches texts for a regular expression, in a thread that is terminated when time is up.
 *
 * A short pattern can take years on a short line, and that cannot be predicted. So the limit is enforced from outside,
 * and the matches found until then are the answer.
 */
import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { Failure } from "../../errors.ts";
import type { FoundLine, PatternOptions, PatternSearch } from "../../ports.ts";
import type { Order, Sought } from "./regex-lines.ts";

// Compiled or not, the worker is beside this file and has the same extension.
const WORKER = new URL(`./regex-worker${extname(import.meta.url)}`, import.meta.url);
const LONGEST_PATTERN = 1_000;
const HEAP_LIMIT_MB = 256;

type SearchResult = Awaited<ReturnType<PatternSearch["search"]>>;

/** `thread` is the file that the thread runs. */
export function createPatternSearch({ thread = WORKER }: { thread?: URL } = {}): PatternSearch {
  return {
    async search(source, texts, options) {
      const worker = await start(thread, orderOf(source));
      try {
        return await searchUntil(texts, options, worker);
      } finally {
        await worker.terminate();
      }
    },
  };
}

/** The limit applies to the pattern alone: a busy machine may take longer to start a thread than to search. */
async function start(thread: URL, order: Order): Promise<Worker> {
  let worker: Worker | null = null;
  try {
    worker = new Worker(thread, {
      workerData: order,
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
    });
    // A pending request gets the error; between two batches none is pending.
    worker.on("error", () => undefined);
    await once(worker, "message");
    return worker;
  } catch (thrown) {
    await worker?.terminate();
    throw new Failure("unavailable", "The search for the pattern could not start.", "Try again in a moment.", {
      cause: thrown,
    });
  }
}

function orderOf(source: string): Order {
  const hint = "Write a regular expression as in JavaScript, or search for the words instead.";
  if (source.length > LONGEST_PATTERN) {
    throw new Failure("invalid_input", `The pattern is longer than ${LONGEST_PATTERN} characters.`, hint);
  }
  // Matching letters of all languages needs the flag; many patterns are only valid without it.
  const flags = ["u", ""].find((each) => faultOf(source, each) === null);
  if (flags === undefined) {
    throw new Failure("invalid_input", `The pattern is not valid: ${faultOf(source, "")}`, hint);
  }
  return { source, flags };
}

function faultOf(source: string, flags: string): string | null {
  try {
    new RegExp(source, flags);
    return null;
  } catch (thrown) {
    return (thrown as Error).message;
  }
}

async function searchUntil(
  texts: AsyncIterable<Sought["texts"]>,
  options: PatternOptions,
  worker: Worker,
): Promise<SearchResult> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), options.limitMs);
  try {
    return await searchAll(texts, { ...options, ask: askOf(worker, late.signal) });
  } finally {
    clearTimeout(timer);
  }
}

/** The matching lines of one batch; null if time ran out first. */
type Ask = (sought: Sought) => Promise<FoundLine[] | null>;

function askOf(worker: Worker, late: AbortSignal): Ask {
  return async (sought) => {
    if (late.aborted) return null;
    worker.postMessage(sought);
    try {
      const [lines] = (await once(worker, "message", { signal: late })) as [FoundLine[]];
      return lines;
    } catch (thrown) {
      if (late.aborted) return null;
      throw new Failure("unavailable", "The search for the pattern stopped.", "Ask for something simpler.", {
        cause: thrown,
      });
    }
  };
}

async function searchAll(
  texts: AsyncIterable<Sought["texts"]>,
  { ask, limit, limitPerText = limit }: { ask: Ask; limit: number; limitPerText?: number | undefined },
): Promise<SearchResult> {
  const lines: FoundLine[] = [];
  for await (const batch of texts) {
    const found = await ask({ texts: batch, limit: limit - lines.length, limitPerText });
    if (found === null) return { lines, ended: "time" };
    lines.push(...found);
    if (lines.length >= limit) return { lines, ended: "limit" };
  }
  return { lines, ended: null };
}
