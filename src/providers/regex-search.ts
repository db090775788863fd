/**
 * Searches texts for a regular expression, in a thread that is ended when time is up.
 *
 * A short pattern can take years on a short line, and nothing tells so beforehand. So the limit
 * is held from outside, and what was found until then is the answer.
 */
import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { Failure } from "../errors.ts";
import type { FoundLine, PatternOptions, PatternSearch } from "../ports.ts";
import type { Order, Sought } from "./regex-lines.ts";

// Compiled or not, the worker lies beside this file and has its extension.
const WORKER = new URL(`./regex-worker${extname(import.meta.url)}`, import.meta.url);
const LONGEST_PATTERN = 1_000;
const HEAP_LIMIT_MB = 256;

type Found = Awaited<ReturnType<PatternSearch["search"]>>;

export function createPatternSearch(): PatternSearch {
  return {
    async search(source, texts, options) {
      const order: Order = { source, flags: options.ignoreCase ? "i" : "" };
      refuseOddPattern(order);
      const worker = new Worker(WORKER, {
        workerData: order,
        stdout: true,
        stderr: true,
        resourceLimits: { maxOldGenerationSizeMb: HEAP_LIMIT_MB },
      });
      // Whoever waits for an answer is told; between two batches nobody waits.
      worker.on("error", () => undefined);
      try {
        // The limit is the pattern's: a busy machine may take longer to start a thread than to search.
        await once(worker, "message");
        return await searchUntil(texts, options, worker);
      } finally {
        await worker.terminate();
      }
    },
  };
}

function refuseOddPattern({ source, flags }: Order): void {
  const hint = "Write a regular expression as in JavaScript, or search for the words instead.";
  if (source.length > LONGEST_PATTERN) {
    throw new Failure("invalid_input", `The pattern is longer than ${LONGEST_PATTERN} characters.`, hint);
  }
  try {
    new RegExp(source, flags);
  } catch (thrown) {
    throw new Failure("invalid_input", `The pattern is not valid: ${(thrown as Error).message}`, hint);
  }
}

async function searchUntil(
  texts: AsyncIterable<Sought["texts"]>,
  options: PatternOptions,
  worker: Worker,
): Promise<Found> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), options.limitMs);
  try {
    return await searchAll(texts, { ...options, ask: askOf(worker, late.signal) });
  } finally {
    clearTimeout(timer);
  }
}

/** The lines of one batch; null when time was up before there was an answer. */
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
): Promise<Found> {
  const lines: FoundLine[] = [];
  for await (const batch of texts) {
    const found = await ask({ texts: batch, limit: limit - lines.length, limitPerText });
    if (found === null) return { lines, ended: "time" };
    lines.push(...found);
    if (lines.length >= limit) return { lines, ended: "limit" };
  }
  return { lines, ended: null };
}
