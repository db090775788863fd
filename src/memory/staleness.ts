/**
 * Staleness: whether the files and symbols a memory refers to have changed since.
 *
 * A file counts as changed if it was written and its text indexed again after the memory was stored; a file that was
 * only touched does not, once the index has read it. Until then only the write is known. A bare name counts as gone only
 * if the index knew such a file. A symbol counts as missing if it is named together with a file that no longer defines it.
 */
export interface Anchored {
  files: readonly string[];
  /** Those of them that were written without a folder: "express.json" in prose may be no file at all. */
  bareNames?: readonly string[];
  symbols: readonly string[];
  /** When the memory was last confirmed. */
  since: number;
}

/** A memory that names more files than this is about none of them in particular. */
export const FILES_CONSIDERED = 50;

/** A file as the index knows it. */
export interface KnownFile {
  bytes: number;
  modifiedAt: number;
  /** When its text last changed. */
  changedAt: number;
  /** Names it defines; null if unknown. */
  symbols: ReadonlySet<string> | null;
}

/** A file as it is on disk. */
export interface SeenFile {
  kind: string;
  bytes: number;
  modifiedAt: number;
}

interface FileLookups {
  known(path: string): KnownFile | undefined;
  seen(path: string): SeenFile | undefined;
}

/** The reason, or null. */
export function staleness({ files, bareNames = [], symbols, since }: Anchored, lookups: FileLookups): string | null {
  for (const path of files) {
    const [known, seen] = [lookups.known(path), lookups.seen(path)];
    if (seen?.kind === "absent" && (known || !bareNames.includes(path))) return `${path} is gone`;
    if (!known) continue;
    if (seen?.kind === "file" && isAnother(seen, known)) {
      // The indexed state is out of date.
      if (seen.modifiedAt > since)
        return `${path} has ${seen.bytes === known.bytes ? "been written" : "changed"} since`;
      continue;
    }
    const missing = known.symbols && symbols.find((name) => !known.symbols?.has(plainName(name)));
    if (missing && files.length === 1) return `${path} no longer defines ${missing}`;
    if (known.modifiedAt > since && known.changedAt > since) return `${path} has changed since`;
  }
  return null;
}

const isAnother = (seen: SeenFile, known: KnownFile): boolean =>
  seen.bytes !== known.bytes || seen.modifiedAt !== known.modifiedAt;

/** Every name a definition goes by: its own, also qualified with any number of its containers. */
export function definedNames(symbols: readonly { name: string; container: string | null }[]): Set<string> {
  const names = new Set<string>();
  for (const { name, container } of symbols) {
    const around = container === null ? [] : plainName(container).split(".");
    names.add(name);
    for (let from = 0; from <= around.length; from += 1) names.add([...around.slice(from), plainName(name)].join("."));
  }
  return names;
}

/** `Class::method`, `Class#method()` and `Class.method` are the same name. */
const plainName = (name: string): string => name.replace(/\(\)$/, "").replace(/::|#|->/g, ".");

/** Whether a path is a mere name. */
export const isBareName = (path: string): boolean => !/[\\/]/.test(path);

/** A path as the index writes it: from the root, with forward slashes; null if it is outside the project. */
export function anchorPath(path: string, root: string): string | null {
  const forward = path.replaceAll("\\", "/");
  const inner = forward.startsWith(`${root}/`) ? forward.slice(root.length + 1) : forward;
  const parts = inner.split("/").filter((part) => part !== "." && part !== "");
  return inner.startsWith("/") || parts.includes("..") || parts.length === 0 ? null : parts.join("/");
}
