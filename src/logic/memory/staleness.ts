/**
 * Staleness: whether what a memory was anchored to is still as it was.
 *
 * A file counts as changed when it was written and its text taken in anew after the memory was made; a file that was
 * only touched does not, once the index has read it. Until then, that it was written is all that can be told. A symbol
 * is missed where it is named with a file that no longer defines it.
 */
export interface Anchored {
  files: readonly string[];
  symbols: readonly string[];
  /** When the memory was last said to be so. */
  since: number;
}

/** A memory that names more files than this is about none of them in particular. */
export const FILES_CONSIDERED = 50;

/** A file as the index knows it. */
export interface KnownFile {
  bytes: number;
  modifiedAt: number;
  /** When its text last became another. */
  changedAt: number;
  /** Names that it defines; null where none can be told. */
  symbols: ReadonlySet<string> | null;
}

/** A file as it is on the disk. */
export interface SeenFile {
  kind: string;
  bytes: number;
  modifiedAt: number;
}

export interface FileLookups {
  known(path: string): KnownFile | undefined;
  seen(path: string): SeenFile | undefined;
}

/** The reason, or null. */
export function staleness({ files, symbols, since }: Anchored, lookups: FileLookups): string | null {
  for (const path of files) {
    const [known, seen] = [lookups.known(path), lookups.seen(path)];
    if (seen?.kind === "absent") return `${path} is gone`;
    if (!known) continue;
    if (seen?.kind === "file" && isAnother(seen, known)) {
      // What the index knows of it no longer holds.
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

/** Every name that a definition goes by: its own, and with as many of those around it as one likes. */
export function definedNames(symbols: readonly { name: string; container: string | null }[]): Set<string> {
  const names = new Set<string>();
  for (const { name, container } of symbols) {
    const around = container === null ? [] : plainName(container).split(".");
    names.add(name);
    for (let from = 0; from <= around.length; from += 1) names.add([...around.slice(from), plainName(name)].join("."));
  }
  return names;
}

/** `Class::method`, `Class#method()` and `Class.method` name the same. */
const plainName = (name: string): string => name.replace(/\(\)$/, "").replace(/::|#|->/g, ".");

/** A path as the index writes it: from the root, with forward slashes; null where it leads elsewhere. */
export function anchorPath(path: string, root: string): string | null {
  const forward = path.replaceAll("\\", "/");
  const inner = forward.startsWith(`${root}/`) ? forward.slice(root.length + 1) : forward;
  const parts = inner.split("/").filter((part) => part !== "." && part !== "");
  return inner.startsWith("/") || parts.includes("..") || parts.length === 0 ? null : parts.join("/");
}
