/**
 * The process that owns the model.
 *
 * Loads the runtime, the graph and the vocabulary, then embeds one text per run and checks for new requests between
 * texts. It ends with its parent process, however that one ended.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { Failure } from "../../errors.ts";
import { createLanes } from "../job-order.ts";
import type { Report, Request, Trouble, WorkerOptions } from "./connection.ts";
import { cachedGraph } from "./graph-cache.ts";
import { buildGraph, INPUT_NAME, OUTPUT_NAME } from "./graph.ts";
import { DIMENSIONS, GRAPH_KEY } from "./identity.ts";
import { createInput, importRuntime, openSession } from "./runtime.ts";
import { loadVocabulary } from "./tokenizer.ts";
import { readSafetensors, readWeights } from "./weights.ts";

interface Job extends Request {
  readonly vectors: Float32Array;
  done: number;
}

/** The runtime's results are freed with the objects that hold them, which V8 thinks small; this many take megabytes. */
const COLLECTED_TEXTS = 32;

type Embed = (text: string) => Promise<Float32Array>;

async function openModel({ cacheFolder, threads, runtime: specifier }: WorkerOptions): Promise<Embed> {
  const runtime = await importRuntime(specifier);
  const [vocabulary, { graph }] = await Promise.all([
    loadVocabulary(),
    cachedGraph(cacheFolder, GRAPH_KEY, async () => buildGraph(readSafetensors(await readWeights()))),
  ]);
  const session = await openSession(runtime, graph, threads);
  // Building a graph leaves more garbage behind than the model itself takes.
  globalThis.gc?.();
  const toInput = createInput(vocabulary);
  return async (text) => {
    const ids = toInput(text);
    const outputs = await session.run({ [INPUT_NAME]: new runtime.Tensor("int32", ids, [1, ids.length]) });
    return outputs[OUTPUT_NAME]!.data as Float32Array;
  };
}

function serve(embed: Embed, report: (report: Report) => void): (request: Request) => void {
  const lanes = createLanes<Job>();
  let draining = false;
  let sinceCollected = 0;

  async function drain(): Promise<void> {
    draining = true;
    for (let job = lanes.next(); job !== undefined; job = lanes.next()) {
      await advance(job);
      sinceCollected += 1;
      // One turn of the event loop, in which requests arrive.
      await nextTurn();
    }
    draining = false;
    if (sinceCollected < COLLECTED_TEXTS) return;
    sinceCollected = 0;
    globalThis.gc?.();
  }

  async function advance(job: Job): Promise<void> {
    try {
      job.vectors.set(await embed(job.texts[job.done]!), job.done * DIMENSIONS);
      job.done += 1;
      if (job.done < job.texts.length) return;
      report({ kind: "embedded", id: job.id, vectors: job.vectors });
    } catch (thrown) {
      report({ kind: "refused", id: job.id, trouble: toTrouble(thrown) });
    }
    lanes.remove(job);
  }

  return (request) => {
    lanes.add({ ...request, vectors: new Float32Array(request.texts.length * DIMENSIONS), done: 0 });
    if (!draining) void drain();
  };
}

function toTrouble(thrown: unknown): Trouble {
  if (thrown instanceof Failure) return { message: thrown.message, hint: thrown.hint };
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return { message: `The embedding model failed: ${message}`, hint: "Ask again; if it stays, run `stele inspect`." };
}

async function main(options: WorkerOptions): Promise<void> {
  const report = (message: Report): void => void process.send?.(message);
  // Ctrl-C at a terminal reaches both processes; the parent decides what it means.
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
  try {
    process.on("message", serve(await openModel(options), report));
    report({ kind: "ready" });
  } catch (thrown) {
    report({ kind: "failed", trouble: toTrouble(thrown), lasting: thrown instanceof Failure });
    process.disconnect();
  }
}

void main(JSON.parse(process.argv[2]!) as WorkerOptions);
