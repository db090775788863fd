/**
 * Packs the vocabulary of the model's tokenizer into `vocabulary.bin`, which is used as it is on disk.
 *
 * The result is committed, so that a checkout needs no step before it runs. With `--check` nothing is written: exit 1
 * if the committed file differs from a rebuild.
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { locateModel } from "../src/embed/minilm/weights.ts";
import { packVocabulary } from "../src/text/wordpieces.ts";

const TARGET = new URL("../src/embed/minilm/vocabulary.bin", import.meta.url);

/** The model's wordpieces and their ids. */
export async function readTokenizer(): Promise<ReadonlyMap<string, number>> {
  const file = JSON.parse(await readFile(locateModel().tokenizer, "utf8")) as {
    model: { vocab: Record<string, number> };
  };
  return new Map(Object.entries(file.model.vocab));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packed = packVocabulary(await readTokenizer());
  if (!process.argv.includes("--check")) await writeFile(TARGET, packed);
  else if (!(await readFile(TARGET)).equals(packed)) {
    process.stderr.write("vocabulary.bin is out of date: run `npm run vocabulary`.\n");
    process.exitCode = 1;
  }
}
