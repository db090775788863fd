/**
 * Caches the built graph in a folder, so that only the first start pays for building it.
 *
 * A file is the SHA-256 of the graph, then the graph: a torn or altered file is rebuilt. If the folder cannot be
 * written, the graph still works, uncached.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const DIGEST_BYTES = 32;

export interface CachedGraph {
  readonly graph: Uint8Array;
  /** Read from the cache, built and cached, or built only. */
  readonly origin: "cached" | "kept" | "unkept";
}

export async function cachedGraph(folder: string, key: string, build: () => Promise<Uint8Array>): Promise<CachedGraph> {
  const path = join(folder, `${key}.graph`);
  const kept = await read(path);
  if (kept !== undefined) return { graph: kept, origin: "cached" };
  const graph = await build();
  return { graph, origin: await keep(folder, path, graph) };
}

/** The graph, or undefined if the file is missing or altered. */
async function read(path: string): Promise<Uint8Array | undefined> {
  const file = await readFile(path).catch(() => undefined);
  if (file === undefined || file.length <= DIGEST_BYTES) return undefined;
  const graph = file.subarray(DIGEST_BYTES);
  return digest(graph).equals(file.subarray(0, DIGEST_BYTES)) ? graph : undefined;
}

async function keep(folder: string, path: string, graph: Uint8Array): Promise<"kept" | "unkept"> {
  // All writers use one name, so that killed processes leave at most one file. Concurrent writers write the same bytes,
  // and the digest protects readers in between.
  const temporary = `${path}.tmp`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(temporary, [digest(graph), graph], { mode: 0o600 });
    await rename(temporary, path);
    return "kept";
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
    return "unkept";
  }
}

function digest(graph: Uint8Array): Buffer {
  return createHash("sha256").update(graph).digest();
}
