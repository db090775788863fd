/**
 * Where `import "stele"` and `require("stele")` begin: the build, or the sources of a clone.
 *
 * Plain JavaScript that any Node can read, because an old one has to say so.
 */
"use strict";

const { existsSync } = require("node:fs");
const { join } = require("node:path");
const { isNewEnough, tooOld } = require("./node-version.js");

const built = join(__dirname, "..", "dist", "index.js");
const source = join(__dirname, "..", "src", "index.ts");
const fromSource = !existsSync(built);

const library = load();
exports.open = library.open;
exports.Failure = library.Failure;

function load() {
  if (!isNewEnough(process.versions.node, { fromSource })) {
    return refusing(`Stele cannot run: ${tooOld({ fromSource })}.`);
  }
  try {
    return require(fromSource ? source : built);
  } catch (error) {
    // A copy below `node_modules` keeps its types, and a clone may lack its packages.
    const unbuilt = ["ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING", "MODULE_NOT_FOUND", "ERR_MODULE_NOT_FOUND"];
    if (!fromSource || !unbuilt.includes(error.code)) throw error;
    return refusing("This clone of Stele is not built: run `npm ci && npm run build` in its folder.");
  }
}

function refusing(sentence) {
  class Failure extends Error {}
  return { open: () => Promise.reject(new Failure(sentence)), Failure };
}
