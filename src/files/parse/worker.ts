/** A thread that parses files one after the other, in order of arrival. */
import { parentPort } from "node:worker_threads";
import type { SourceText } from "../../ports.ts";
import { createGrammars } from "./grammars.ts";
import { parseFile, type Parsing } from "./parse-file.ts";

/** A grammar's memory grows with the largest tree and never shrinks; a new thread starts small. */
const MEMORY_LIMIT_BYTES = 300_000_000;

const grammars = createGrammars();
let last: Promise<unknown> = Promise.resolve();

async function answer(source: SourceText): Promise<Parsing> {
  const { file, isBroken } = await parseFile(source, grammars);
  return { file, isBroken: isBroken || process.memoryUsage().external > MEMORY_LIMIT_BYTES };
}

parentPort?.on("message", (source: SourceText) => {
  last = last.then(async () => parentPort?.postMessage(await answer(source)));
});
