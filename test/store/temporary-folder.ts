/** A folder that is gone when the test file is done. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

export function temporaryFolder(name: string): { path(): string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), `stele-${name}-`));
  after(() => rmSync(folder, { recursive: true, force: true }));
  let count = 0;
  return { folder, path: () => join(folder, `${(count += 1)}.db`) };
}
