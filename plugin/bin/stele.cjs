/**
 * Starts the installed Stele for the plugin: beside it in a checkout or package, beside this Node, or on the path.
 *
 * Plugins are copied to folders where nothing with native parts can be installed, so the plugin does not contain Stele. A hook
 * without it stays silent; the server says what to install.
 */
"use strict";

const { existsSync, realpathSync } = require("node:fs");
const { delimiter, dirname, isAbsolute, join } = require("node:path");

const ENTRY = ["bin", "stele.js"];
const node = dirname(process.execPath);
// A relative folder would be one of the project, whose code nobody has agreed to run.
const searched = (process.env.PATH ?? process.env.Path ?? "").split(delimiter).filter(isAbsolute);
const candidates = [
  join(__dirname, "..", "..", ...ENTRY),
  join(node, "..", "lib", "node_modules", "stele", ...ENTRY),
  ...[node, ...searched].map((folder) => join(folder, "node_modules", "stele", ...ENTRY)),
  ...searched.map((folder) => join(folder, "stele")),
];

/** The file itself if it is our entry; npm links to it, on Windows it is beside a script that starts it. */
function entryAt(path) {
  if (!existsSync(path)) return null;
  const real = realpathSync(path);
  return real.endsWith(join(...ENTRY)) ? real : null;
}

const entry = candidates.map(entryAt).find((path) => path !== null);
if (entry !== undefined) require(entry);
else if (process.argv[2] !== "hook") {
  process.stderr.write(
    "stele: not installed; run `npm install --global .` in a clone of Stele, then restart this host.\n",
  );
  process.exitCode = 1;
}
