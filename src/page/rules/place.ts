/** Which project to show first. */

/** The project that a folder belongs to, by its path; the folder itself if none is known. */
export function projectOf(folder: string, roots: readonly string[]): string {
  const isWithin = (root: string) =>
    folder === root || (folder.startsWith(root) && /^[\\/]/.test(folder.slice(root.length)));
  return roots.filter(isWithin).sort((one, two) => two.length - one.length)[0] ?? folder;
}
