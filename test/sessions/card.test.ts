import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { SessionCard } from "../../src/sessions/card.ts";
import { cardLines } from "../../src/sessions/list-sessions.ts";
import { cardOf } from "../../src/sessions/make-card.ts";
import { type Part, PART_LABELS, type SessionTurn, type ToolCall } from "../../src/sessions/turns.ts";
import { UTC, zoneNamed } from "../../src/time/calendar.ts";

const START = Date.UTC(2026, 2, 1, 22, 30);
const MINUTE = 60_000;
const own = (text: string): Part => ({ label: "own", text, at: START });
const pasted = (text: string): Part => ({ label: "pasted", text, at: START });
const agent = (text: string, written?: Part["written"]): Part => ({
  label: "agent",
  text,
  at: START,
  ...(written && { written }),
});
const tool = (call: Partial<ToolCall>, text = ""): Part => ({
  label: "tool",
  text,
  at: START,
  call: { name: "Bash", command: null, path: null, edits: false, failed: false, ...call },
});
const edit = (path: string, failed = false): Part => tool({ name: "Edit", path, edits: true, failed });
const turnsOf = (turns: Part[][]): SessionTurn[] =>
  turns.map((parts, index) => ({ at: START + index * MINUTE, branch: index === 0 ? null : "cart", parts }));
const card = (...turns: Part[][]): SessionCard => {
  const made = cardOf({ session: "s1", host: "claude-code", turns: turnsOf(turns) });
  assert.ok(made !== null);
  return made;
};

const DONE = [agent("The cart now adds up its prices in cents.")];

test("a whole session", () => {
  const made = card(
    [
      own("add up prices in cents, please"),
      agent("I'll look."),
      edit("src/cart.ts"),
      edit("src/cart.ts"),
      agent("I changed the cart. Should the till round too?"),
    ],
    [
      own("no, leave the till alone"),
      ...[edit("src/till.ts", true), edit("test/cart.test.ts"), tool({ command: "npm test" }, "12 passed")],
      tool({ command: "git commit -m 'Count in cents'" }, "[cart 1a2b3c4] Count in cents"),
      ...[agent("Done!"), agent("All prices are cents now. The till is as it was.\n\nShall I open a pull request?")],
    ],
  );
  assert.deepEqual(made, {
    session: "s1",
    host: "claude-code",
    branch: "cart",
    branches: ["cart"],
    from: START,
    to: START + MINUTE,
    title: { text: "add up prices in cents, please", by: "you" },
    asked: "add up prices in cents, please",
    said: { question: "I changed the cart. Should the till round too?", answer: "no, leave the till alone" },
    files: [
      { path: "src/cart.ts", edits: 2 },
      { path: "test/cart.test.ts", edits: 1 },
    ],
    commits: ["Count in cents"],
    check: { command: "npm test", passed: true, outcome: "12 passed" },
    ended: { text: "All prices are cents now. The till is as it was.", by: "agent" },
    unanswered: "Shall I open a pull request?",
  } satisfies SessionCard);
});

const titles: [string, Part[][], SessionCard["title"]][] = [
  [
    "a greeting gives way to what follows",
    [[own("hello there"), ...DONE], [own("make the cart faster than it is")]],
    { text: "make the cart faster than it is", by: "you" },
  ],
  [
    "so does a command",
    [[own("/clear")], [own("make the cart faster than it is")]],
    { text: "make the cart faster than it is", by: "you" },
  ],
  [
    "what stands behind a command counts",
    [[own("/review the cart and its tests")]],
    { text: "the cart and its tests", by: "you" },
  ],
  [
    "what was pasted never speaks",
    [[pasted("We must delete all carts at midnight."), own("is that a good idea?")]],
    { text: "is that a good idea?", by: "you" },
  ],
  [
    "the program's title stands in for a lead",
    [[own("fix these:"), pasted("a.ts:1:2: error: none\n".repeat(9)), ...DONE, agent("Cart errors", "title")]],
    { text: "Cart errors", by: "program" },
  ],
  [
    "the last of the program's titles",
    [[pasted("a.ts:1:2: error: none\n"), ...DONE, agent("Cart", "title"), agent("Cart errors", "title")]],
    { text: "Cart errors", by: "program" },
  ],
  [
    "a title before everything else is another session's",
    [[agent("Till errors", "title")], [own("fix it"), ...DONE]],
    { text: "fix it", by: "you" },
  ],
  [
    "the program's own title is preferred, and labelled",
    [[own("make the cart faster than it is"), ...DONE, agent("Cart", "title")]],
    { text: "Cart", by: "program" },
  ],
  ["the branch, without any words", [[pasted("a.ts:1:2: error: none\n")], [...DONE]], { text: "cart", by: "branch" }],
];
for (const [name, turns, title] of titles) test(`title: ${name}`, () => assert.deepEqual(card(...turns).title, title));

test("a long prompt is cut between words", () => {
  const { title, asked } = card([own("please ".repeat(80))]);
  assert.ok(title.text.length <= 110 && /please…$/.test(title.text));
  assert.ok(asked !== null && asked.length <= 280);
});

const endings: [string, Part[][], SessionCard["ended"]][] = [
  [
    "the message before one that says nothing",
    [[own("go"), agent("The cart is faster by half."), agent("Done.")]],
    { text: "The cart is faster by half.", by: "agent" },
  ],
  [
    "the beginning, without code and its lead",
    [[agent("## Result\n\nGreat!\n\nThe cart is faster by half. Call it so:\n\n```ts\ncart()\n```")]],
    { text: "The cart is faster by half.", by: "agent" },
  ],
  [
    "items of a list",
    [[agent("Three things have changed:\n- the cart\n- the till\n- their tests")]],
    { text: "Three things have changed: the cart; the till; their tests", by: "agent" },
  ],
  [
    "what the program summed up last",
    [
      [
        own("go"),
        ...DONE,
        agent(
          "Summary:\n1. Primary Request:\n   Everything.\n\n7. Pending Tasks:\n   - Round in the till\n\n8. Current Work:\n   Reading `till.ts`.\n\n9. Optional Next Step:\n   More.",
          "compaction",
        ),
      ],
    ],
    { text: "Round in the till Reading `till.ts`.", by: "program" },
  ],
  [
    "what the program summed up before that is past",
    [[agent("7. Pending Tasks:\n   - Round in the till", "compaction"), ...DONE]],
    { text: DONE[0]!.text, by: "agent" },
  ],
  ["nobody's, where the agent said nothing", [[own("stop it at once, please")]], null],
];
for (const [name, turns, ended] of endings) test(`ended: ${name}`, () => assert.deepEqual(card(...turns).ended, ended));

test("a question is unanswered only at the end", () => {
  const asking = [own("go"), agent("Should the till round too?")];
  assert.equal(card(asking).unanswered, "Should the till round too?");
  assert.equal(card(asking, [own("yes")]).unanswered, null);
  assert.equal(card([...asking, edit("a.ts")]).unanswered, null);
});

test("an amended commit replaces the one before", () => {
  const commit = (command: string, subject: string) => tool({ command }, `[main 1a2b3c4] ${subject}\n 1 file changed`);
  const parts = [
    commit("git commit -m a", "Add a"),
    commit("git commit -m b", "Add b"),
    commit("git commit --amend", "Add b, tested"),
  ];
  assert.deepEqual(card(parts).commits, ["Add a", "Add b, tested"]);
});

for (const turns of [[], [[]], [[own("/clear")]], [[agent("Cart", "title")]]] as Part[][][])
  test(`no card of ${JSON.stringify(turns).slice(0, 60)}`, () =>
    assert.equal(cardOf({ session: "s", host: "codex", turns: turnsOf(turns) }), null));

test("lines say who, and the days of the reader's zone", () => {
  const made = card(
    [own("make the cart faster than it is"), agent("It is faster. Should the till be too?")],
    [own("no, it is fine"), ...DONE],
  );
  assert.deepEqual(cardLines(made, UTC), [
    "2026-03-01 22:30–22:31, branch cart, claude-code",
    "User asked: make the cart faster than it is",
    "Agent asked: It is faster. Should the till be too? User answered: no, it is fine",
    "Agent's last words: The cart now adds up its prices in cents.",
  ]);
  const [when, asked] = cardLines(made, zoneNamed("Asia/Tokyo")!);
  assert.equal(when, "2026-03-02 07:30–07:31, branch cart, claude-code");
  assert.equal(asked, "User asked: make the cart faster than it is");
});

const part: fc.Arbitrary<Part> = fc
  .record({
    label: fc.constantFrom(...PART_LABELS),
    text: fc.oneof(fc.string({ unit: "binary", maxLength: 600 }), fc.lorem({ maxCount: 60, mode: "sentences" })),
    at: fc.constantFrom(null, START, START + MINUTE),
    call: fc.record({
      name: fc.constantFrom("Bash", "Edit", "AskUserQuestion"),
      command: fc.constantFrom(null, "npm test", "git commit -m 'x y'"),
      path: fc.oneof(fc.constant(null), fc.string()),
      edits: fc.boolean(),
      failed: fc.boolean(),
    }),
    written: fc.constantFrom(undefined, "title" as const, "compaction" as const),
  })
  .map(({ call, written, ...rest }) => ({ ...rest, ...(rest.label === "tool" ? { call } : written && { written }) }));
const turn = fc.record({
  at: fc.constantFrom(null, START),
  branch: fc.constantFrom(null, "main"),
  parts: fc.array(part, { maxLength: 6 }),
});

test("a card of anything is about a kilobyte of lines", () =>
  fc.assert(
    fc.property(fc.array(turn, { maxLength: 8 }), (turns) => {
      const made = cardOf({ session: "s", host: "codex", turns });
      if (made === null) return;
      const lines = cardLines(made, UTC);
      assert.ok(lines.join("\n").length <= 1_000);
      assert.ok(lines.every((line) => line !== "" && !/[\n\r]/.test(line)));
      assert.ok((made.ended?.text.length ?? 0) <= 320);
    }),
  ));
