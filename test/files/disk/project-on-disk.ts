/** A project on a real disk that tests of walking share. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import type { WalkLimits } from "../../../src/files/corpus.ts";
import { createProjectFiles } from "../../../src/files/disk/project-files.ts";

export const top = realpathSync(mkdtempSync(join(tmpdir(), "stele-project-")));
after(() => rmSync(top, { recursive: true, force: true }));

export const LIMITS: WalkLimits = { fileBytes: 1_000_000, files: 10_000, excludes: [] };
export const quiet = { debug: () => {}, warn: () => {} };

let made = 0;
/** A project of these files; a name that ends in a slash is an empty folder. */
export function project(contents: Record<string, string | Buffer>, except: readonly string[] = []) {
  const root = join(top, String((made += 1)));
  mkdirSync(root);
  const at = (path: string) => join(root, path);
  for (const [path, content] of Object.entries(contents)) {
    mkdirSync(path.endsWith("/") ? at(path) : dirname(at(path)), { recursive: true });
    if (!path.endsWith("/")) writeFileSync(at(path), content);
  }
  const files = createProjectFiles(root, { polling: false, log: quiet, except: except.map(at) });
  const met = async (limits: Partial<WalkLimits> = {}) => {
    const { found, skipped, unread } = await files.walk({ ...LIMITS, ...limits });
    return { found: found.map(({ path }) => path), skipped, unread };
  };
  return { root, at, files, met, read: (path: string, limit = LIMITS.fileBytes) => files.read(path, limit) };
}
