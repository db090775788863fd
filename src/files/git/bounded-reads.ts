/** Reads of files that anybody may have made: in ranges, without links and pipes, and no more than is wanted. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { inflateSync } from "node:zlib";

/** Larger objects have nothing that a person reads; a loose one of this size may be compressed badly, too. */
export const OBJECT_BYTES = 16_000_000;

export interface RangeFile {
  bytes: number;
  /** Throws if the file ends before. */
  range(at: number, length: number): Buffer;
  close(): void;
}

/** A regular file that is no link; a pipe is not waited for. Null if there is none. */
export function openFile(path: string): RangeFile | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new Error("one of its files cannot be opened", { cause: thrown });
  }
  const found = fstatSync(file);
  if (!found.isFile()) {
    closeSync(file);
    throw new Error("one of its files is not a regular file");
  }
  return {
    bytes: found.size,
    range(at, length) {
      const bytes = Buffer.allocUnsafe(length);
      for (let done = 0; done < length; ) {
        const read = readSync(file, bytes, done, length - done, at + done);
        if (read === 0) throw new Error("a pack is damaged");
        done += read;
      }
      return bytes;
    },
    close: () => closeSync(file),
  };
}

export function inflated(bytes: Buffer, most: number): Buffer {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(most, 1), chunkSize: Math.min(Math.max(most, 64), 65_536) });
  } catch (thrown) {
    throw new Error("an object is damaged", { cause: thrown });
  }
}

export interface Recent {
  get(key: string): Buffer | undefined;
  add(key: string, bytes: Buffer): Buffer;
}

/** What was used last, up to so many bytes: bases of deltas and names are wanted again and again. */
export function recent(mostBytes: number): Recent {
  const all = new Map<string, Buffer>();
  /** What an entry takes besides its content. */
  const OVERHEAD_BYTES = 200;
  let total = 0;
  return {
    get(key) {
      const bytes = all.get(key);
      if (bytes !== undefined && all.delete(key)) all.set(key, bytes);
      return bytes;
    },
    add(key, bytes) {
      if (bytes.length > mostBytes / 8 || all.has(key)) return bytes;
      all.set(key, bytes);
      total += bytes.length + OVERHEAD_BYTES;
      for (const [oldest, { length }] of all) {
        if (total <= mostBytes) break;
        all.delete(oldest);
        total -= length + OVERHEAD_BYTES;
      }
      return bytes;
    },
  };
}
