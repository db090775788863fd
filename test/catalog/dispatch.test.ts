import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Ask, dispatch } from "../../src/catalog/dispatch.ts";
import type { AnyOperation } from "../../src/catalog/operation.ts";
import type { Reply } from "../../src/catalog/question.ts";
import { typedCommand } from "../../src/cli/typed-command.ts";
import { Failure, type FailureCode, nearest } from "../../src/errors.ts";
import { catalog } from "../hosts/fixtures/catalog.ts";
import { fakeWorld, type Recorded } from "../hosts/fixtures/world.ts";

const verb = (name: string): AnyOperation => catalog.find((op) => op.name === name)!;

async function failure(promise: Promise<unknown>, code: FailureCode): Promise<Failure> {
  const thrown: unknown = await promise.then(
    () => assert.fail("it should have failed"),
    (reason: unknown) => reason,
  );
  assert.ok(thrown instanceof Failure, String(thrown));
  assert.equal(thrown.code, code);
  return thrown;
}

const refusedInputs: [verb: string, raw: unknown, message: RegExp, hint: RegExp, why: string][] = [
  ["find_notes", { query: "a", limt: 3 }, /^find_notes has no field `limt`\.$/, /`limit`/, "a misspelt field is named"],
  ["find_notes", { query: "a", zzzzzz: 3 }, /`zzzzzz`/, /takes: query, limit/, "a strange field shows the known ones"],
  ["find_notes", { query: "a", toString: 3 }, /`toString`/, /takes/, "what every object has is no field"],
  ["find_notes", { query: "a", limit: 51 }, /^limit must be at most 50\.$/, /takes/, "an upper bound"],
  ["find_notes", { query: "a", limit: 0 }, /^limit must be at least 1\.$/, /takes/, "a lower bound"],
  ["find_notes", { query: "a", limit: 1.5 }, /^limit must be a whole number\.$/, /takes/, "no fractions"],
  ["find_notes", { query: "a", limit: "x" }, /^limit must be a number\.$/, /takes/, "no text for a number"],
  ["find_notes", { query: "" }, /^query must not be empty\.$/, /takes/, "empty text"],
  ["find_notes", {}, /^query is required\.$/, /takes/, "a missing field"],
  ["find_notes", { question: "a" }, /no field `question`/, /Did you mean `query`/, "another name of a field"],
  ["find_notes", { query: "a", minPriority: 1 }, /no field/, /Did you mean `min_priority`/, "another spelling"],
  ["find_notes", { query: "a", top_k: 3 }, /no field `top_k`/, /Did you mean `limit`/, "a name of other tools"],
  ["find_notes", { query: "a", limit: "5 or so" }, /^limit must be a number\.$/, /takes/, "text that begins like one"],
  ["find_notes", { query: "a", kind: "other" }, /^kind must be/, /^Give one of these values\.$/, "no value is near"],
  ["find_notes", { query: "a", kind: "shrot" }, /^kind must be one of short, long\.$/, /`short`/, "the nearest value"],
  ["find_notes", { query: "a", tags: [{}] }, /^an entry of tags must be text\.$/, /takes/, "an entry of a list"],
  [
    "find_notes",
    { query: [], pinned: 2 },
    /^query must be text; pinned must be true or false\.$/,
    /takes/,
    "two at once",
  ],
  ["drop_notes", { ids: [] }, /^ids must not be empty\.$/, /takes/, "an empty list"],
  ["drop_notes", [], /must be an object/, /\{\}/, "no object"],
  ["drop_notes", null, /must be an object/, /\{\}/, "nothing"],
];
/** What a model writes, and how the verb gets it. */
const meantInputs: [raw: Record<string, unknown>, expected: Record<string, unknown>, why: string][] = [
  [{ query: "a", limit: "5" }, { limit: 5 }, "a number as text"],
  [{ query: "a", tags: "api" }, { tags: ["api"] }, "a list of one"],
  [{ query: "a", tags: "api, web" }, { tags: ["api", "web"] }, "words with commas"],
  [{ query: "a", tags: "first, we deploy" }, { tags: ["first, we deploy"] }, "a sentence with a comma is one text"],
  [{ query: "a", tags: '["api", "web"]' }, { tags: ["api", "web"] }, "a list as JSON"],
  [{ query: "a", tags: [1, "b"] }, { tags: ["1", "b"] }, "numbers in a list of texts"],
  [{ query: 404 }, { query: "404" }, "a number for a text"],
  [{ query: "a", pinned: "True" }, { pinned: true }, "true as text"],
  [{ query: "a", kind: null, limit: null }, { kind: null, limit: 10 }, "null for nothing"],
];
for (const [raw, expected, why] of meantInputs)
  test(`${JSON.stringify(raw)} is understood: ${why}`, async () => {
    const { answer } = await dispatch(verb("find_notes"), raw, fakeWorld().world);
    assert.partialDeepStrictEqual(answer, expected);
  });

for (const [name, raw, message, hint, why] of refusedInputs)
  test(`${name} refuses ${JSON.stringify(raw)}: ${why}`, async () => {
    const thrown = await failure(dispatch(verb(name), raw, fakeWorld().world), "invalid_input");
    assert.match(thrown.message, message);
    assert.match(thrown.hint, hint);
  });

test("between two calls of one caller timers and sockets get their turn", async () => {
  let isHeard = false;
  setImmediate(() => (isHeard = true));
  await dispatch(verb("find_notes"), { query: "a" }, fakeWorld().world);
  assert.ok(isHeard);
});

test("the verb and the given session become the origin", async () => {
  const { world } = fakeWorld();
  const own = await dispatch(verb("find_notes"), { query: "a" }, world);
  assert.deepEqual(own.answer.origin, { verb: "find_notes", host: "test", session: "of-the-process" });
  const given = await dispatch(verb("find_notes"), { query: "a", session: "s1" }, world);
  assert.deepEqual(given.answer.origin, { verb: "find_notes", host: "test", session: "s1" });
  assert.equal(world.origin.verb, "", "the shared world is left alone");
});

test("an answer that breaks the verb's own promise is our fault", async () => {
  const thrown = await failure(dispatch(verb("fail_note"), { how: "broken_promise" }, fakeWorld().world), "internal");
  assert.match(thrown.message, /fail_note .*count/);
});

const commands: [id: string, typed: string][] = [
  ["n-1", "n-1"],
  ["a/b.c:d_e", "a/b.c:d_e"],
  ["", "…"],
  ["two words", '"two words"'],
  ["x`; rm -rf ~", "…"],
  ["$(reboot)", "…"],
  ["n\n1", "…"],
];
for (const [id, typed] of commands)
  test(`without anybody to ask about ${JSON.stringify(id)}, the verb is refused and a person's command named`, async () => {
    const thrown = await failure(dispatch(verb("ratify_note"), { id }, fakeWorld().world), "refused");
    assert.equal(thrown.hint, `A person can run \`stele ratify-note ${typed}\` in a terminal.`);
  });

test("the command that is named has all that was given, without what is usual", async () => {
  const commands: [string, Record<string, unknown>, string][] = [
    ["find_notes", { query: "a", limit: 3, tags: ["b", "two words"], pinned: true }, 'a --limit 3 --tags b --tags "two words" --pinned'],
    ["find_notes", { query: "a", limit: 10, pinned: false }, "a --no-pinned"],
    ["find_notes", { query: "$(reboot)", session: "x`y" }, "… --session …"],
  ]; // prettier-ignore
  for (const [name, input, words] of commands)
    assert.equal(typedCommand(verb(name), verb(name).input.parse(input)), `stele find-notes ${words}`);
});

test("a dry run asks nobody, and goes on as if they had agreed", async () => {
  const ask: Ask = async () => assert.fail("nobody need be asked");
  for (const [form, consent] of [["consent", { agree: true }], ["full", { agree: true, how: "fully", reason: "because" }]] as const)
    for (const asking of [ask, undefined]) {
      const { answer } = await dispatch(verb("ratify_note"), { id: "n", form }, fakeWorld().world, { ask: asking, dryRun: true });
      assert.deepEqual(JSON.parse(String(answer["reply"])), consent);
    } // prettier-ignore
});

const replies: [form: string, reply: Reply, outcome: FailureCode | string, why: string][] = [
  ["consent", { action: "accept", values: { agree: true } }, '{"agree":true}', "consent runs the verb"],
  ["consent", { action: "accept", values: { agree: false } }, "refused", "no is no, even in an accepted form"],
  ["consent", { action: "accept", values: {} }, "invalid_input", "an empty form is no consent"],
  ["consent", { action: "accept", values: { agree: "yes" } }, "invalid_input", "text is no consent"],
  ["consent", { action: "decline" }, "refused", "declined"],
  ["consent", { action: "cancel" }, "refused", "cancelled"],
  [
    "full",
    { action: "accept", values: { agree: false, how: "partly", extra: "x" } },
    '{"agree":false,"how":"partly","reason":"because"}',
    "defaults fill in, strangers drop out, and no among other fields is for the verb to judge",
  ],
  [
    "full",
    { action: "accept", values: { agree: true, how: "never" } },
    "invalid_input",
    "an option that was not offered",
  ],
];
const wrongValues: [values: Record<string, string | boolean>, message: string][] = [
  [{ how: "fully" }, "agree must be true or false."],
  [{ agree: "yes", how: "fully" }, "agree must be true or false."],
  [{ agree: true }, "how must be one of fully, partly."],
  [{ agree: true, how: true }, "how must be one of fully, partly."],
  [{ agree: true, how: "fully", reason: false }, "reason must be text."],
];
for (const [values, message] of wrongValues)
  test(`${JSON.stringify(values)} is no answer: ${message}`, async () => {
    const ask: Ask = async () => ({ action: "accept", values });
    const run = dispatch(verb("ratify_note"), { id: "n", form: "full" }, fakeWorld().world, { ask });
    assert.equal((await failure(run, "invalid_input")).message, message);
  });

for (const [form, reply, outcome, why] of replies)
  test(`${form} form, ${JSON.stringify(reply)} → ${outcome}: ${why}`, async () => {
    const ask: Ask = async () => reply;
    const run = dispatch(verb("ratify_note"), { id: "n", form }, fakeWorld().world, { ask });
    if (outcome.startsWith("{")) assert.equal((await run).answer.reply, outcome);
    else await failure(run, outcome as FailureCode);
  });

test("a verb without a question for this input asks nobody", async () => {
  const ask: Ask = () => assert.fail("asked");
  const { answer } = await dispatch(verb("ratify_note"), { id: "n", form: "none" }, fakeWorld().world, { ask });
  assert.equal(answer.reply, "null");
});

test("a real run writes and reports no changes", async () => {
  const { world, recorded, later } = fakeWorld();
  const { changes } = await dispatch(verb("keep_note"), { text: "a" }, world);
  assert.deepEqual(changes, []);
  assert.deepEqual(
    recorded.map(({ store, dryRun }) => [store, dryRun]),
    [
      ["project", false],
      ["global", false],
      ["global", false],
    ],
  );
  assert.deepEqual(later, ["more"]);
  assert.equal(recorded[0]?.origin.call, "call");
});

test("a dry run reaches both stores as a dry run, begins nothing afterwards and tells what it would write", async () => {
  const { world, recorded, later } = fakeWorld();
  const { answer, changes } = await dispatch(verb("keep_note"), { text: "a" }, world, { dryRun: true });
  assert.deepEqual(answer, { status: "applied", text: "a" });
  assert.deepEqual(
    changes.map(({ kind }) => kind),
    ["insert_item", "evict_items"],
  );
  assert.deepEqual(
    recorded.map(({ store, dryRun }) => [store, dryRun]),
    [
      ["project", true],
      ["global", true],
      ["global", true],
    ],
  );
  const [{ origin }] = recorded as [Recorded];
  assert.deepEqual([origin.verb, origin.call], ["keep_note", ""], "nothing can be taken back that was not done");
  assert.deepEqual(later, []);
});

test("a plan that met a conflict is not among the changes", async () => {
  const { world, answers } = fakeWorld();
  answers.push({ status: "conflict", kind: "cache_vectors", reason: "somebody was faster" });
  const { changes } = await dispatch(verb("keep_note"), { text: "a" }, world, { dryRun: true });
  assert.deepEqual(
    changes.map(({ kind }) => kind),
    ["evict_items"],
  );
});

const words: [word: string, known: string[], meant: string | null, why: string][] = [
  ["recal", ["remember", "recall"], "recall", "one letter missing"],
  ["ercall", ["remember", "recall"], "recall", "two letters swapped"],
  ["Recall", ["recall"], "recall", "case does not matter"],
  ["remembering", ["remember", "recall"], "remember", "a long word may differ more"],
  ["zzz", ["get", "log"], null, "a short word must nearly match"],
  ["gt", ["get", "log"], "get", "and one letter is nearly"],
  ["x", [], null, "nothing known, nothing near"],
  ["a".repeat(10_000), ["a"], null, "no time is spent on nonsense"],
];
for (const [word, known, meant, why] of words)
  test(`nearest to ${word.slice(0, 20)} of ${known.join(", ")} is ${meant}: ${why}`, () =>
    assert.equal(nearest(word, known), meant));

test("a known word is nearest to itself", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ minLength: 1, maxLength: 12 }), { minLength: 1 }), fc.nat(), (known, at) => {
      const word = known[at % known.length]!;
      assert.equal(nearest(word, known)?.toLowerCase(), word.toLowerCase());
    }),
  );
});
