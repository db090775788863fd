/**
 * Entry point of `import "stele"` and `require("stele")`: the build if it is up to date, else the sources.
 *
 * Plain JavaScript that any Node can read, because an old one must report this.
 */
"use strict";

const { existsSync } = require("node:fs");
const { dirname, join } = require("node:path");
const { isNewEnough, tooOld } = require("./node-version.js");
const { runsFromSource } = require("./program.js");

const root = dirname(__dirname);
const built = join(root, "dist", "program.js");

const library = load();
exports.open = library.open;
exports.Failure = library.Failure;

function load() {
  const fromSource = runsFromSource(root);
  if (!isNewEnough(process.versions.node, { fromSource })) {
    return refusing(`Stele cannot run: ${tooOld({ fromSource })}.`, "Install it from https://nodejs.org.");
  }
  if (!fromSource) return require(built);
  try {
    return require(join(root, "src", "index.ts"));
  } catch (error) {
    // Node does not strip types below `node_modules`, where a clone may have been copied.
    if (error.code !== "ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING") throw error;
    if (existsSync(built)) return require(built);
    return refusing("This clone of Stele is not built.", "Run `npm ci && npm run build` in its folder.");
  }
}

function refusing(message, hint) {
  class Failure extends Error {
    code = "unavailable";
    hint = hint;
  }
  return { open: () => Promise.reject(new Failure(`${message} ${hint}`)), Failure };
}
