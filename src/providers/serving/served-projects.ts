/** Which folders clients may name as projects. A folder that is named has its files indexed and found, so it matters. */
import { realpathSync } from "node:fs";
import { isAbsolute, relative } from "node:path";

/** `served`: these and all below them; any folder if there are none. Links are followed first. */
export function isServed(project: string, served: readonly string[]): boolean {
  if (served.length === 0) return true;
  const path = realPath(project);
  return path !== null && served.some((folder) => isWithin(path, realPath(folder)));
}

function isWithin(path: string, folder: string | null): boolean {
  if (folder === null) return false;
  const between = relative(folder, path);
  return between !== ".." && !/^\.\.[\\/]/.test(between) && !isAbsolute(between);
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // What is not there is served to nobody.
    return null;
  }
}
