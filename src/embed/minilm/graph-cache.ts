/**
 * Caches the built graph in a folder, so that only the first start pays for building it.
 *
 * The runtime reads the file itself, because bytes handed to it would stay in memory twice. So the file is the graph
 * with its SHA-256 appended, as the text that ONNX has for documentation: a torn or altered file is rebuilt. If the
 * folder cannot be written, the graph still works, uncached.
 */
import { createHash, type Hash } from "node:crypto";
import { mkdir, open, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The field `doc_string` of an ONNX model, which holds a digest in hexadecimal. */
const SEAL_HEAD = Buffer.of(0x32, 64);
const SEAL_BYTES = SEAL_HEAD.length + 64;
const READ_BYTES = 1_048_576;

interface CachedGraph {
  /** The path of the file, or the graph itself if it could not be kept. */
  readonly graph: string | Uint8Array;
  readonly bytes: number;
  /** Read from the cache, built and cached, or built only. */
  readonly origin: "cached" | "kept" | "unkept";
}

export async function cachedGraph(
  folder: string | null,
  key: string,
  build: () => Promise<Uint8Array>,
): Promise<CachedGraph> {
  if (folder === null) return unkept(await build());
  const path = join(folder, `${key}.graph`);
  const keptBytes = await soundBytes(path);
  if (keptBytes !== null) return { graph: path, bytes: keptBytes, origin: "cached" };
  const graph = await build();
  const isKept = await keep(folder, path, graph);
  return isKept ? { graph: path, bytes: graph.length, origin: "kept" } : unkept(graph);
}

const unkept = (graph: Uint8Array): CachedGraph => ({ graph, bytes: graph.length, origin: "unkept" });

/** The graph's size, or null if the file is missing or altered. */
async function soundBytes(path: string): Promise<number | null> {
  try {
    const bytes = (await stat(path)).size - SEAL_BYTES;
    const file = await open(path);
    try {
      const hash = createHash("sha256");
      const chunk = Buffer.alloc(READ_BYTES);
      for (let at = 0, read = -1; at < bytes && read !== 0; at += read) {
        ({ bytesRead: read } = await file.read(chunk, 0, Math.min(READ_BYTES, bytes - at), at));
        hash.update(chunk.subarray(0, read));
      }
      const { bytesRead } = await file.read(chunk, 0, SEAL_BYTES, bytes);
      return bytes > 0 && chunk.subarray(0, bytesRead).equals(sealOf(hash)) ? bytes : null;
    } finally {
      await file.close();
    }
  } catch {
    // Missing or unreadable: it is built instead.
    return null;
  }
}

async function keep(folder: string, path: string, graph: Uint8Array): Promise<boolean> {
  // A name for each process: a file that another one still writes is never renamed. `stele doctor` removes old ones.
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(temporary, [graph, sealOf(createHash("sha256").update(graph))], { mode: 0o600 });
    await rename(temporary, path);
    return true;
  } catch {
    await rm(temporary, { force: true }).catch(() => undefined);
    return false;
  }
}

function sealOf(hash: Hash): Buffer {
  return Buffer.concat([SEAL_HEAD, Buffer.from(hash.digest("hex"))]);
}
