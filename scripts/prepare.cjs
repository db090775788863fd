/** Run at the end of `npm ci` and before `npm pack`: builds, unless the build tools were left out (`npm ci --omit=dev`). */
"use strict";

const { spawnSync } = require("node:child_process");
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const root = join(__dirname, "..");
if (["esbuild", "typescript"].every((name) => existsSync(join(root, "node_modules", name)))) {
  const build = join(root, "scripts", "build.ts");
  process.exitCode = spawnSync(process.execPath, [build], { stdio: "inherit" }).status ?? 1;
}
