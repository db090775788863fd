/**
 * Where `import "stele"` begins: the build, or the sources of a clone.
 *
 * Loaded with `require`, so that programs may `require` us as well: a module that awaits could not be.
 */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { isNewEnough, tooOld } from "./node-version.js";

const built = fileURLToPath(new URL("../dist/index.js", import.meta.url));
const source = fileURLToPath(new URL("../src/index.ts", import.meta.url));
const fromSource = !existsSync(built);

const { open, Failure } = load();
export { open, Failure };

function load() {
  if (!isNewEnough(process.versions.node, { fromSource }))
    return refusing(`Stele cannot run: ${tooOld({ fromSource })}.`);
  const require = createRequire(import.meta.url);
  try {
    return require(fromSource ? source : built);
  } catch (error) {
    // A copy below `node_modules` keeps its types, and a clone may lack its packages.
    const isUnbuilt = ["ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING", "MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"];
    if (!fromSource || !isUnbuilt.includes(error.code)) throw error;
    return refusing("This clone of Stele is not built: run `npm ci && npm run build` in its folder.");
  }
}

function refusing(sentence) {
  class Failure extends Error {}
  return { open: () => Promise.reject(new Failure(sentence)), Failure };
}
