/** Whether hooks may capture and inject, as a hook learns it. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { hookSettings } from "../../src/app/hook-settings.ts";

const home = mkdtempSync(join(tmpdir(), "stele-hooks-"));
after(() => rmSync(home, { recursive: true, force: true }));
const env = { STELE_HOME: home };
const settings = join(home, "config.json");
const write = (value: unknown) => writeFileSync(settings, JSON.stringify(value));
const mayCapture = (more: Record<string, string> = {}) => hookSettings({ ...env, ...more }).mayCapture;
const mayInject = (more: Record<string, string> = {}) => {
  const { session_start, prompt } = hookSettings({ ...env, ...more }).mayInject;
  return [session_start, prompt];
};

test("by default they may, and a variable decides before the file", () => {
  assert.equal(mayCapture(), true);
  assert.equal(mayCapture({ STELE_CAPTURE: "off" }), false);
  write({ capture: { enabled: "off" } });
  assert.equal(mayCapture(), false);
  assert.equal(mayCapture({ STELE_CAPTURE: " " }), false);
  assert.equal(mayCapture({ STELE_CAPTURE: "on" }), true);
  assert.deepEqual(mayInject(), [true, true], "what is not captured may still be injected");
  write({ recall: { limit: 3 } });
  assert.equal(mayCapture(), true);
});

test("injection: at the start and with prompts, at the start only, or never", () => {
  write({});
  assert.deepEqual(mayInject(), [true, true]);
  assert.deepEqual(mayInject({ STELE_CONTEXT_INJECTION: "start" }), [true, false]);
  write({ context: { injection: "off" } });
  assert.deepEqual(mayInject(), [false, false]);
  assert.deepEqual(mayInject({ STELE_CONTEXT_INJECTION: "on" }), [true, true]);
  assert.deepEqual(mayInject({ STELE_CONTEXT_INJECTION: "yes" }), [false, false]);
  assert.equal(mayCapture(), true, "what is not injected may still be captured");
});

test("inside a hook of ours they may not", () => {
  write({});
  assert.equal(mayCapture({ STELE_CAPTURE: "on", STELE_HOOK: "off" }), false);
  assert.deepEqual(mayInject({ STELE_CONTEXT_INJECTION: "on", STELE_HOOK: "off" }), [false, false]);
});

test("in doubt they may not", () => {
  assert.equal(mayCapture({ STELE_CAPTURE: "no" }), false);
  write({ capture: { enabled: false }, context: { injection: true } });
  assert.equal(mayCapture(), false);
  assert.deepEqual(mayInject(), [false, false]);
  writeFileSync(settings, '{ "capture": ');
  assert.throws(() => mayCapture(), SyntaxError, "the hook then does nothing and logs that");
  rmSync(settings);
  mkdirSync(settings);
  assert.equal(mayCapture(), false);
});
