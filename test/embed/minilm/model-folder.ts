/** A folder for the model's graph: building it takes long, so those that share a process build it once. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";

export const modelFolder = mkdtempSync(join(tmpdir(), "stele-model-"));
after(() => rmSync(modelFolder, { recursive: true, force: true }));
