/**
 * Staleness: whether what a memory was anchored to is still as it was.
 *
 * A file counts as changed when it was written and its text taken in anew after the memory was made; a file that was
 * only touched does not. A symbol is missed where it is named with a file that no longer defines it.
 */
export interface Anchored {
  files: readonly string[];
  symbols: readonly string[];
  /** When the memory was last said to be so. */
  since: number;
}

/** A file as the index knows it. */
export interface KnownFile {
  modifiedAt: number;
  /** When its text last became another. */
  changedAt: number;
  /** Names that it defines; null where none can be told. */
  symbols: ReadonlySet<string> | null;
}

export interface Surroundings {
  file(path: string): KnownFile | null;
  isGone(path: string): boolean;
}

/** The reason, or null. */
export function staleness({ files, symbols, since }: Anchored, { file, isGone }: Surroundings): string | null {
  for (const path of files) {
    const known = file(path);
    if (!known && isGone(path)) return `${path} is gone`;
    const missing = known?.symbols && symbols.find((name) => !known.symbols?.has(name));
    if (missing && files.length === 1) return `${path} no longer defines ${missing}`;
    if (known && known.modifiedAt > since && known.changedAt > since) return `${path} has changed since`;
  }
  return null;
}

/** A path as the index writes it: from the root, with forward slashes; null where it leads elsewhere. */
export function anchorPath(path: string, root: string): string | null {
  const forward = path.replaceAll("\\", "/");
  const inner = forward.startsWith(`${root}/`) ? forward.slice(root.length + 1) : forward;
  const parts = inner.split("/").filter((part) => part !== "." && part !== "");
  return inner.startsWith("/") || parts.includes("..") || parts.length === 0 ? null : parts.join("/");
}
