"use strict";

/** Decides what runs: the build, unless it was made from other sources. */

const { existsSync, readFileSync, readdirSync, statSync } = require("node:fs");
const { join } = require("node:path");

/** The build's record of the sources it was made from. */
const RECORD = join("dist", "sources.txt");
/** Besides the sources, the packages and the bundler scripts determine the build. */
const BESIDE = ["package-lock.json", join("scripts", "build.ts"), join("scripts", "bundle.ts")];

/** A package has no sources; a clone does, and its build may be missing or out of date. */
function runsFromSource(root) {
  if (!existsSync(join(root, "src"))) return false;
  const record = join(root, RECORD);
  return !existsSync(record) || readFileSync(record, "utf8") !== describeSources(root);
}

/** Every source file with its size and modification time: reading them all would take longer than most commands. */
function describeSources(root) {
  const beside = BESIDE.filter((path) => existsSync(join(root, path)));
  const describe = (path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    return `${path} ${size} ${mtimeMs}`;
  };
  return `${[...filesIn(root, "src"), ...beside].map(describe).sort().join("\n")}\n`;
}

function filesIn(root, folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesIn(root, path) : [path];
  });
}

exports.RECORD = RECORD;
exports.describeSources = describeSources;
exports.runsFromSource = runsFromSource;
