/** From a host's payload to the report that is spooled: pure, for every host. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { withoutUnsaid } from "../../src/sessions/clean-text.ts";
import { makeReport, readHook } from "../../src/sessions/hook-report.ts";
import { type Spooled, SPOOLED_BYTES } from "../../src/sessions/session.ts";
import { SpooledSchema } from "../../src/sessions/spooled-schema.ts";
import { anyCharacter } from "../any-character.ts";
import { CASES } from "./payloads.ts";
import { UNSAID_CASES } from "./unsaid-cases.ts";

const AT = Date.UTC(2026, 10, 17);

function reportOf(
  payload: unknown,
  { event = null as string | null, host = null as string | null, at = AT, size = null as number | null } = {},
) {
  const observed = readHook({ event, host, payload });
  return observed === null
    ? null
    : makeReport(observed, { at, cwd: observed.cwd ?? "/here", branch: null, commit: null, transcriptBytes: size });
}

const spooled = (payload: unknown, set: Parameters<typeof reportOf>[1] = {}): Spooled => {
  const report = reportOf(payload, set);
  assert.ok(report);
  return report;
};

for (const { what, argv = [], payload, spooled: expected } of CASES)
  test(what, () => {
    const at = argv.indexOf("--host");
    const host = at === -1 ? (argv.find((word) => word.startsWith("--host="))?.slice(7) ?? null) : argv[at + 1]!;
    const event = argv.find((word) => !word.startsWith("-") && word !== host) ?? null;
    const report = reportOf(payload, { event, host });
    if (expected === null || report === null) assert.equal(report, expected);
    else {
      SpooledSchema.parse(report);
      assert.deepEqual({ ...report, ...expected }, report);
    }
  });

const prompt = (text: string) => ({
  session_id: "s",
  prompt_id: "p",
  hook_event_name: "UserPromptSubmit",
  prompt: text,
});

test("an event reported twice has one id; another turn, tool or text has another", () => {
  const id = (set: object, at = AT) => spooled({ ...prompt("yes"), ...set }, { at }).id;
  assert.equal(id({}), id({ cursor_version: "2", timestamp: "now" }, AT + 3_600_000), "also by another host");
  assert.notEqual(id({}), id({ prompt_id: "q" }));
  assert.notEqual(id({}), id({ prompt: "no" }));
  assert.notEqual(id({}), id({ session_id: "t" }));
  const untold = { prompt_id: undefined };
  assert.equal(id(untold), id(untold, AT + 1_000));
  assert.notEqual(id(untold), id(untold, AT + 60_000), "said again later");
  const grown = (size: number, at: number) => spooled({ ...prompt("yes"), ...untold }, { at, size }).id;
  assert.notEqual(grown(100, AT), grown(900, AT + 1_000), "said again within a minute");
  assert.equal(grown(100, AT + 59_999), grown(100, AT + 60_001), "by two hosts, across a minute");
  const tool = { session_id: "s", tool_name: "Bash", tool_use_id: "t", tool_input: { command: "make" } };
  const success = spooled({ ...tool, hook_event_name: "PostToolUse", tool_response: "Exit code 1" });
  const failure = spooled({ ...tool, hook_event_name: "PostToolUseFailure", error: "Exit code 1" });
  assert.equal(success.id, failure.id);
  const failed = (set: object) => spooled({ ...tool, hook_event_name: "PostToolUseFailure", ...set }).id;
  assert.equal(failed({ error: "Exit code 1" }), failed({ error: "exit status 1" }), "one call, told in other words");
  assert.notEqual(failed({ error: "Exit code 1" }), failed({ error: "Exit code 1", tool_use_id: "u" }), "failed again");
});

for (const [text, left] of UNSAID_CASES)
  test(`what is left of ${JSON.stringify(text)}`, () => assert.equal(withoutUnsaid(text), left));

test("nothing is reported of a prompt that is private", () => {
  assert.equal(reportOf(prompt("<private>all of it</private> ")), null);
  assert.equal(spooled(prompt("Use <private>my name</private>tabs")).text, "Use tabs");
});

/** Made at run time, so that no scanner takes this file for a leak. */
const CANARY = ["ghp", "k7Qw2Zp9".repeat(4) + "Xy4T"].join("_");

test("secrets are redacted in every field, wherever a text is cut", () => {
  for (const length of [0, 4_080, 16_370, 60_000, 150_000]) {
    const text = `${"word ".repeat(length / 5)}${CANARY} ${"more ".repeat(length / 5)}`;
    const payloads = [
      prompt(text),
      { session_id: CANARY, hook_event_name: "Stop", last_assistant_message: text, transcript_path: `/t/${CANARY}` },
      { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command: text }, tool_response: text },
      { hook_event_name: "PostToolUse", tool_name: `x ${CANARY}`, tool_use_id: CANARY, turn_id: CANARY },
      { hook_event_name: "PostToolUseFailure", tool_name: "Read", tool_input: { path: `/${CANARY}` }, error: text },
    ];
    for (const payload of payloads) {
      const report = JSON.stringify(spooled(payload));
      for (let at = 4; at + 8 <= CANARY.length; at++)
        assert.ok(!report.includes(CANARY.slice(at, at + 8)), `${length}: ${CANARY.slice(at, at + 8)}`);
    }
  }
});

test("long texts are cut; of an output, both ends are kept", () => {
  const { text } = spooled({
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "make" },
    tool_response: `first line\n${"noise\n".repeat(50_000)}last line`,
  });
  assert.ok(text!.length <= 2_048);
  assert.match(text!, /^first line\n[^]*\[…\]\n[^]*last line$/);
  assert.equal(spooled(prompt("x".repeat(50_000))).text!.length, 16_384);
});

test("a report of anything at all is small and well-formed", () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 100 }).map((part) => part.repeat(400));
  const value = fc.oneof(text, fc.jsonValue());
  const payload = fc.record(
    {
      session_id: value,
      turn_id: value,
      cwd: text,
      transcript_path: value,
      prompt: value,
      error: value,
      tool_name: value,
      tool_input: fc.record({ command: value, file_path: value }),
      tool_response: value,
      hook_event_name: fc.constantFrom("UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop", "toString"),
    },
    { requiredKeys: ["hook_event_name"] },
  );
  fc.assert(
    fc.property(payload, (anything) => {
      const report = reportOf(anything);
      if (report === null) return;
      SpooledSchema.parse(report);
      assert.ok(Buffer.byteLength(JSON.stringify(report)) <= SPOOLED_BYTES);
      assert.ok(JSON.stringify(report).isWellFormed());
    }),
  );
});

test("a report whose every letter takes six bytes fits the spool", () => {
  const [control, path] = ["\u0001".repeat(20_000), `/${"\u0001".repeat(5_000)}`];
  const shared = { hook_event_name: "PostToolUse", session_id: control, turn_id: control, cwd: path };
  const tool = { tool_name: "Bash", tool_input: { command: control }, tool_response: control };
  for (const payload of [tool, { tool_name: "Read", tool_input: { file_path: path } }]) {
    const report = spooled({ ...shared, transcript_path: path, ...payload });
    SpooledSchema.parse(report);
    assert.ok(Buffer.byteLength(JSON.stringify(report)) <= SPOOLED_BYTES);
  }
});

test("what is no object, or names no event, is nothing", () => {
  for (const payload of [null, 1, "Stop", [], {}, { hook_event_name: 1 }, { hook_event_name: "__proto__" }])
    assert.equal(reportOf(payload), null);
});
