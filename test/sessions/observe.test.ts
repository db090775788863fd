/** Observed events: what each leaves, once, without secrets, and what is refused. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { dispatch } from "../../src/catalog/dispatch.ts";
import propose from "../../src/decisions/verbs/propose.ts";
import ratify from "../../src/decisions/verbs/ratify.ts";
import type { Failure } from "../../src/errors.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import { erase } from "../../src/memory/forget.ts";
import remember from "../../src/memory/verbs/remember.ts";
import { spool } from "../../src/sessions/inbox-writer.ts";
import type { Spooled } from "../../src/sessions/session.ts";
import observe from "../../src/sessions/verbs/observe.ts";
import type { World } from "../../src/world.ts";
import { itemIn, temporaryFolder, testWorld, type TestWorldOptions } from "../test-world.ts";

type Input = Record<string, unknown>;

const report = async (world: World, input: Input) => (await dispatch(observe, input, world)).answer;
const refusal = (world: World, input: Input): Promise<Failure> =>
  report(world, input).then(
    () => assert.fail("it should have been refused"),
    (thrown: unknown) => thrown as Failure,
  );

const AUTO = "auto_capture";
interface Expected {
  action: string;
  type: string;
  scope: string;
  content: string;
  tags?: string[];
  files?: string[];
  background?: string;
}

const outcomes: [Input, Expected][] = [
  [
    { event: "file_opened", content: "src/a.ts" },
    {
      action: "stored_scratchpad",
      type: "scratchpad",
      scope: "working",
      content: "Opened src/a.ts",
      files: ["src/a.ts"],
    },
  ],
  [
    { event: "file_opened", path: "src/a.ts", content: "the parser" },
    { action: "stored_scratchpad", type: "scratchpad", scope: "working", content: "Opened src/a.ts\nthe parser" },
  ],
  [
    { event: "command_executed", content: "npm test", output: "12 passed\n", context: "before the release" },
    {
      action: "stored_scratchpad",
      type: "scratchpad",
      scope: "working",
      content: "Ran npm test\n12 passed",
      background: "before the release",
    },
  ],
  [
    { event: "error_occurred", content: "ENOENT", context: "while packing", path: "bin/x" },
    {
      action: "stored_bug_fix",
      type: "bug_fix",
      scope: "project",
      content: "Error: ENOENT\nContext: while packing",
      tags: ["error", "bug_fix", AUTO],
      files: ["bin/x"],
    },
  ],
  [
    { event: "error_occurred", content: "in all my projects it fails" },
    {
      action: "stored_bug_fix",
      type: "bug_fix",
      scope: "project",
      content: "Error: in all my projects it fails",
      tags: ["error", "bug_fix", AUTO],
    },
  ],
  [
    { event: "session_start", session: "s1" },
    { action: "stored_scratchpad", type: "scratchpad", scope: "working", content: "Session s1 started" },
  ],
  [
    { event: "session_end", content: "logout", session: "s1" },
    { action: "stored_scratchpad", type: "scratchpad", scope: "working", content: "Session s1 ended\nlogout" },
  ],
  [
    { event: "pattern_detected", content: "stores are made by factories" },
    {
      action: "stored_pattern",
      type: "pattern",
      scope: "project",
      content: "stores are made by factories",
      tags: ["pattern", AUTO],
    },
  ],
  [
    { event: "user_feedback", content: "prefers short commits" },
    {
      action: "stored_preference",
      type: "preference",
      scope: "global",
      content: "prefers short commits",
      tags: ["preference", AUTO],
    },
  ],
];

describe("an observed event", () => {
  test("leaves what its kind demands, and a record", async () => {
    const world = await testWorld();
    for (const [input, { action, files, tags = [AUTO], background = null, ...expected }] of outcomes) {
      const { status, ids, actions, call } = await report(world, input);
      const told = JSON.stringify(input);
      assert.deepEqual([status, ids.length, actions], ["stored", 1, [action, "noted_event"]], told);
      assert.equal(call !== null, expected.scope !== "working", told);
      const isGlobal = expected.scope === "global";
      const item = (await itemIn(world, ids[0]!, isGlobal ? { scope: "global" } : {}))!;
      const { type, scope, content } = item;
      assert.deepEqual({ type, scope, content }, expected);
      assert.deepEqual([item.source, item.tags, item.background], ["system_auto", tags, background], told);
      if (files) assert.deepEqual(item.context.files, files);
      const { event, session = "session", ...said } = input;
      const noted = (await world[isGlobal ? "global" : "project"].events({ limit: 99 })).find(({ payload }) =>
        isDeepStrictEqual(payload["items"], ids),
      );
      assert.deepEqual([noted?.kind, noted?.session, noted?.turn], [event, session, "0"]);
      const output = typeof said["output"] === "string" ? { output: said["output"].trim() } : {};
      assert.deepEqual(noted?.payload, { ...said, ...output, items: ids });
    }
  });
  test("of a pattern or a preference is everybody's under the preset seed", async () => {
    const world = await testWorld({ routing: { preset: "seed" } });
    for (const event of ["pattern_detected", "user_feedback"]) {
      const input = { event, content: `${event} here` };
      const { ids } = await report(world, input);
      assert.equal((await itemIn(world, ids[0]!, { scope: "global" }))?.scope, "global");
      assert.equal((await report(world, input)).status, "duplicate");
    }
    assert.deepEqual([await world.project.eventCount({}), await world.global.eventCount({})], [0, 2]);
  });
  test("of feedback belongs where the same preference would be remembered", async () => {
    for (const preset of ["default", "seed"] as const) {
      const world = await testWorld({ routing: { preset } });
      for (const content of ["Prefers tabs", "Prefers tabs in this repository", "Prefers tabs in all my projects"]) {
        const { ids } = await report(world, { event: "user_feedback", content });
        const { answer } = await dispatch(remember, { content, type: "preference" }, world);
        assert.deepEqual([answer.status, [answer.id]], ["duplicate", ids], `${preset}: ${content}`);
      }
    }
  });
  test("keeps the beginning of a long output", async () => {
    const world = await testWorld();
    const { ids } = await report(world, { event: "command_executed", content: "ls", output: "x ".repeat(9_000) });
    assert.ok((await itemIn(world, ids[0]!))!.content.length < 1_100);
    assert.ok(JSON.stringify((await world.project.events({ limit: 1 }))[0]!.payload).length < 1_200);
  });
  test("is shown to a person in one line", async () => {
    const world = await testWorld();
    const input = { event: "user_feedback", content: "prefers short commits" };
    assert.match(
      observe.render(await report(world, input)),
      /^Stored: [0-9a-f]{8}\. Undo with `stele rollback \w+`\.$/,
    );
    assert.match(observe.render(await report(world, input)), /^Reported before: [0-9a-f]{8}\.$/);
    assert.match(observe.render(await report(world, { ...input, turn: "9" })), /^Noted; already known: [0-9a-f]{8}\.$/);
  });
});

describe("a decision", () => {
  const unattended: TestWorldOptions = { decisions: { ratify: "unattended" } };
  test("becomes a proposal with a subject, which can be ratified as it is", async () => {
    for (const [given, subject] of [
      [{}, "pnpm in every package"],
      [{ subject: "package manager", rationale: "one lock file" }, "package manager"],
    ] as const) {
      const world = await testWorld(unattended);
      const { status, ids, actions } = await report(world, {
        event: "decision_made",
        content: "Use pnpm in every package",
        ...given,
      });
      assert.deepEqual([status, actions], ["proposed", ["proposed_decision", "noted_event"]]);
      await dispatch(ratify, { id: ids[0] }, world);
      const decision = (await itemIn(world, ids[0]!, { shelf: "decision" }))!;
      assert.deepEqual([decision.title, decision.content], [subject, "Use pnpm in every package"]);
      assert.equal(decision.details["rationale"], "rationale" in given ? given.rationale : null);
    }
  });
  test("that is pending or holds already is not proposed again", async () => {
    const world = await testWorld(unattended);
    const decided = { subject: "package manager", decision: "Use pnpm" };
    const { answer } = await dispatch(propose, decided, world);
    const pending = await report(world, { event: "decision_made", content: "Use pnpm" });
    assert.deepEqual([pending.status, pending.ids, pending.actions], ["duplicate", [answer.id], ["noted_event"]]);
    await dispatch(ratify, { id: answer.id }, world);
    const held = await report(world, { event: "decision_made", content: "Use pnpm", turn: "later" });
    assert.deepEqual([held.status, held.ids, held.actions], ["duplicate", [answer.id], ["noted_event"]]);
    const other = { event: "decision_made", content: "Use pnpm", subject: "release scripts" };
    assert.equal((await report(world, other)).status, "proposed", "on another subject it is another decision");
  });
});

describe("the same event", () => {
  const input = { event: "error_occurred", content: "ENOENT" };
  test("in the same turn of a session changes nothing", async () => {
    const world = await testWorld();
    const first = await report(world, input);
    world.clock.time += 1_000;
    const again = await report(world, input);
    assert.deepEqual(again, { ...first, status: "duplicate", actions: [], call: null });
    assert.equal((await itemIn(world, first.ids[0]!))!.accessedAt, world.clock.time - 1_000);
    assert.equal(await world.project.eventCount({}), 1);
  });
  test("counts prompts that nobody has digested yet, each once", async () => {
    const world = await testWorld();
    const folder = join(world.folder, "spool", "0123456789abcdef0123456789abcdef");
    const spooled = (number: number, session: string) => {
      const id = String(number).padStart(32, "0");
      const nothing = { turn: null, transcript: null, tool: null, command: null, path: null };
      const said = { event: "prompt", host: "kimi", session, at: 1, cwd: "/", text: "yes" };
      spool({ id, ...nothing, ...said } as Spooled, folder);
      return { id, kind: "prompt", session, turn: null, at: 1, payload: {} } as const;
    };
    const { session } = world.origin;
    const noted = spooled(1, session);
    await world.project.apply([{ kind: "note_event", event: noted }], world.origin);
    spooled(2, session);
    spooled(3, "another");
    await report(world, { event: "error_occurred", content: "ENOENT" });
    const [event] = await world.project.events({ kinds: ["error_occurred"], limit: 1 });
    assert.equal(event?.turn, "2");
  });

  test("in another turn or session is noted, and the memory is the same", async () => {
    const world = await testWorld();
    const { ids } = await report(world, input);
    const prompt = { id: "p", kind: "prompt", session: "session", turn: null, at: 1, payload: {} } as const;
    await world.project.apply([{ kind: "note_event", event: prompt }], world.origin);
    for (const later of [{}, { turn: "t" }, { session: "other" }]) {
      const answer = await report(world, { ...input, ...later });
      assert.deepEqual([answer.status, answer.ids, answer.actions], ["duplicate", ids, ["noted_event"]]);
    }
    const turns = (await world.project.events({ kinds: ["error_occurred"], limit: 9 })).map(({ turn }) => turn);
    assert.deepEqual(turns.toSorted(), ["0", "0", "1", "t"]);
  });
  test("reported ten times at once by two processes leaves one memory and one record", async () => {
    const folder = temporaryFolder();
    const worlds = [await testWorld({ folder }), await testWorld({ folder })];
    for (const event of ["error_occurred", "command_executed", "decision_made"]) {
      const all = Array.from({ length: 10 }, (_, index) => report(worlds[index % 2]!, { ...input, event }));
      const answers = await Promise.all(all);
      assert.equal(answers.filter(({ status }) => status !== "duplicate").length, 1);
      assert.equal(new Set(answers.flatMap(({ ids }) => ids)).size, 1);
      assert.equal(await worlds[0]!.project.eventCount({ kinds: [event as "error_occurred"] }), 1);
    }
  });
  test("does not come back after its memory was rolled back; an erasure takes the record along", async () => {
    const world = await testWorld();
    const { ids, call } = await report(world, input);
    await dispatch(rollback, { call }, world);
    assert.equal((await report(world, input)).status, "duplicate");
    assert.equal(await itemIn(world, ids[0]!), undefined);
    await erase(ids[0]!, 5, world);
    assert.equal(await world.project.eventCount({}), 0);
  });
});

test("what is private is not stored, and nothing but private text is refused", async () => {
  const world = await testWorld();
  const content = "Prefers tabs <private>my boss is Zebulon</private>";
  await dispatch(observe, { event: "user_feedback", content }, world);
  const events = JSON.stringify(await world.global.events({ limit: 9 }));
  assert.ok(events.includes("Prefers tabs") && !events.includes("Zebulon"), events);
  const alone = { event: "user_feedback", content: "<private>my boss is Zebulon</private>" };
  await assert.rejects(dispatch(observe, alone, world), { code: "invalid_input", message: /private/ });
});

test("no secret reaches a memory or a record, nor shows in an id", async () => {
  const secret = `ghp_${"a1B2c3D4e5".repeat(3)}f6G7h8`;
  const world = await testWorld();
  const fields = { content: `echo ${secret}`, path: `tmp/${secret}`, output: `token: ${secret}`, context: secret };
  const { ids, redactions } = await report(world, { event: "command_executed", ...fields, turn: secret });
  assert.ok(redactions.length > 0);
  const decision = { event: "decision_made", content: `Use ${secret}`, subject: secret, rationale: secret };
  const { ids: proposals } = await report(world, { ...decision, session: secret });
  const stored = [
    await itemIn(world, ids[0]!),
    await itemIn(world, proposals[0]!, { shelf: "proposal" }),
    await world.project.events({ limit: 9 }),
  ];
  assert.ok(!JSON.stringify(stored).includes(secret));
  assert.equal((await report(world, { event: "command_executed", ...fields, turn: secret })).status, "duplicate");
});

const refused: [Input, RegExp, RegExp][] = [
  [{}, /^event is required\.$/, /takes: event, content/],
  [{ event: "file_open" }, /^event must be one of file_opened/, /`file_opened`/],
  [{ event: "error_occurred" }, /^error_occurred needs `content`: the error\.$/, /stele observe error_occurred/],
  [{ event: "file_opened" }, /needs `content`: the file's path/, /`content`/],
  [{ event: "decision_made", subject: "x" }, /needs `content`: the decision/, /`content`/],
  [{ event: "user_feedback", content: "a", output: "b" }, /no `output`; only command_executed/, /`context`/],
  [{ event: "error_occurred", content: "a", rationale: "b" }, /no `rationale`; only decision_made/, /`context`/],
  [{ event: "session_start", content: "" }, /^content must not be empty\.$/, /takes/],
  [{ event: "session_start", content: "a\0b" }, /NUL/, /takes/],
  [{ event: "session_start", error: "x" }, /no field `error`/, /./],
];
test("what cannot be stored is refused with the field to give", async () => {
  const world = await testWorld();
  for (const [input, message, hint] of refused) {
    const failure = await refusal(world, input);
    assert.deepEqual([failure.code, JSON.stringify(input)], ["invalid_input", JSON.stringify(input)]);
    assert.match(failure.message, message);
    assert.match(failure.hint, hint);
  }
  assert.equal(await world.project.eventCount({}), 0);
});

test("a dry run notes nothing and tells what it would add", async () => {
  const world = await testWorld();
  const input = { event: "error_occurred", content: "ENOENT" };
  const { changes } = await dispatch(observe, input, world, { dryRun: true });
  assert.deepEqual(
    changes.map(({ kind }) => kind),
    ["insert_item"],
  );
  assert.equal(await world.project.eventCount({}), 0);
});
