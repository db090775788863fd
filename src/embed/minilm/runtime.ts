/**
 * The ONNX runtime: a native, optional package, imported only by the process that runs it.
 *
 * It ships without types, so the few that are used are declared here.
 */
import { Failure } from "../../errors.ts";
import { createWordpiece, type Vocabulary } from "../../text/wordpieces.ts";
import { LONGEST_INPUT_IDS, LONGEST_TEXT_CHARACTERS } from "./identity.ts";

interface Runtime {
  readonly InferenceSession: {
    create(model: string | Uint8Array, options: Readonly<Record<string, number | string | boolean>>): Promise<Session>;
  };
  readonly Tensor: new (type: "int32", data: Int32Array, shape: readonly number[]) => Tensor;
}

interface Session {
  run(inputs: Readonly<Record<string, Tensor>>): Promise<Readonly<Record<string, Tensor>>>;
}

interface Tensor {
  readonly data: unknown;
}

const FATAL_ONLY = 4;

export async function importRuntime(specifier: string): Promise<Runtime> {
  try {
    return (await import(specifier)) as Runtime;
  } catch (cause) {
    const hint = `Install the optional package ${specifier} for this platform. Keyword search works without it.`;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure("unavailable", `The embedding model's native runtime does not load: ${reason}`, hint, { cause });
  }
}

export function openSession(
  { InferenceSession }: Runtime,
  graph: string | Uint8Array,
  threads: number,
): Promise<Session> {
  return InferenceSession.create(graph, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: "sequential",
    // The graph already uses fused operators: higher levels take time and find nothing.
    graphOptimizationLevel: "basic",
    // Patterns are cached per text length; as lengths vary, they would only cost memory.
    enableMemPattern: false,
    // An arena keeps what the longest text needed; the system's allocator returns it.
    enableCpuMemArena: false,
    logSeverityLevel: FATAL_ONLY,
  });
}

/**
 * A text as model input: wordpieces between two markers, truncated to the length it was trained on.
 *
 * Any change here changes vectors: raise the preparation version with it.
 */
export function createInput(vocabulary: Vocabulary): (text: string) => Int32Array {
  const wordpiece = createWordpiece(vocabulary);
  const { start, end } = vocabulary;
  return (text) => {
    const pieces = wordpiece(text.slice(0, LONGEST_TEXT_CHARACTERS)).subarray(0, LONGEST_INPUT_IDS - 2);
    return Int32Array.of(start, ...pieces, end);
  };
}
