/** Whether hooks may record, as a hook learns it. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { mayCapture } from "../../src/app/capture-settings.ts";

const home = mkdtempSync(join(tmpdir(), "stele-capture-"));
after(() => rmSync(home, { recursive: true, force: true }));
const env = { STELE_HOME: home };
const settings = join(home, "config.json");

test("by default they may, and a variable decides before the file", () => {
  assert.equal(mayCapture(env), true);
  assert.equal(mayCapture({ ...env, STELE_CAPTURE: "off" }), false);
  writeFileSync(settings, '{ "capture": { "enabled": "off" } }');
  assert.equal(mayCapture(env), false);
  assert.equal(mayCapture({ ...env, STELE_CAPTURE: " " }), false);
  assert.equal(mayCapture({ ...env, STELE_CAPTURE: "on" }), true);
  writeFileSync(settings, '{ "recall": { "limit": 3 } }');
  assert.equal(mayCapture(env), true);
});

test("inside a hook of ours they may not", () => {
  assert.equal(mayCapture({ ...env, STELE_CAPTURE: "on", STELE_HOOK: "off" }), false);
});

test("in doubt they may not", () => {
  assert.equal(mayCapture({ ...env, STELE_CAPTURE: "no" }), false);
  writeFileSync(settings, '{ "capture": { "enabled": false } }');
  assert.equal(mayCapture(env), false);
  writeFileSync(settings, '{ "capture": ');
  assert.throws(() => mayCapture(env), SyntaxError, "the hook then records nothing and logs that");
  rmSync(settings);
  mkdirSync(settings);
  assert.equal(mayCapture(env), false);
});
