/** Texts of up to a megabyte that a pattern could take hours to read: they come back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutUnsaid } from "../../src/sessions/clean-text.ts";
import { shellCommands, tellingLine } from "../../src/sessions/commands.ts";
import { errorsOf } from "../../src/sessions/errors.ts";
import { redactEvent } from "../../src/sessions/extract.ts";
import { toolUse } from "../../src/sessions/hook-report.ts";
import { cardOf, commitMessage, isCommit } from "../../src/sessions/make-card.ts";
import { isQuotedFrom, notesOf, runsOf } from "../../src/sessions/notes.ts";
import { typedParts } from "../../src/sessions/origins.ts";
import { nudgeFor, pickIn, plainSentences } from "../../src/sessions/picks.ts";
import { eventsOfLine, typedPrompt } from "../../src/sessions/transcripts.ts";
import { foldSession, NEW_SESSION, type Part, type SessionTurn } from "../../src/sessions/turns.ts";
import { inLane } from "../lane.ts";

const LENGTH = inLane({ fast: 20_000, long: 500_000, soak: 500_000 });
const long = (piece: string): string => piece.repeat(LENGTH / piece.length);

test("a name of a command that never ends is no command", () => {
  assert.equal(typedPrompt(`<command-name>${" ".repeat(LENGTH)}<`), `<command-name>${" ".repeat(LENGTH)}<`);
  assert.equal(typedPrompt(long("<command-name>")), long("<command-name>"));
  assert.equal(typedPrompt(`<command-name>/a</command-name>${long("<command-args>")}`), "/a");
});

test("a command line of options is no commit", () => {
  assert.equal(isCommit(long("git -c ")), false);
  assert.equal(isCommit(long("git -c git ")), false);
  assert.equal(isCommit("git -c user.name=a -C /b commit -m x"), true);
});

test("a message whose end never comes is none", () => {
  assert.equal(commitMessage(`git commit ${"<<A\n".repeat(900)}${"\n".repeat(4_000)}`), null);
});

test("lines that end in other ways than usual", () => {
  assert.equal(tellingLine("\r".repeat(LENGTH)), null);
  assert.equal(tellingLine("10 %\r20 %\rerror: no space left"), "error: no space left");
});

const PIECES = [
  ...[" ", "\n", "\r", "\u2028", "a", "A", "<", "{", '"', "\\", "`", "|", ">", "**", "__a ", "[a](", "![a](", "A-B-"],
  ...['{"type":', "<command-name> ", "<private", "<private>", "</private>", "<system-reminder>", "<ide_", "<skill a"],
  ...["STELE_MEMORY_START", "<!-- ", "<<A\n\n", ' -m "', " -m '", "error[", "Error", "now ", "a_", "a/", "a.b", "# "],
  ...[
    "\u001b",
    "\u001b[",
    "\u001b[1;",
    "\u001b]",
    "\u001b]0;a",
    "\u001bP",
    "\u009b1",
    "\u009d",
    "\\u001b[1",
    "\\e",
    "^[[1",
  ],
  ...[
    "\u{1f389}",
    "! ",
    "? ",
    "a: b",
    "--- FAIL: ",
    "<a>\n",
    "</a>",
    "<a></a>",
    "+a\n-b\n",
    "[Pasted text ",
    "&& ",
    "(",
    "<<A ",
  ],
  ...["[", "[1", "[1m", "[1;", "[1;1m", "[?1", "[1mab", "[0m", "[0m[1", "[2Ka"],
  ...["1. ", "- ", "*** Add File: ", "Exit code: ", "a: \n- b\n", "https:", "we decided to "],
  // Beyond Latin letters, patterns are matched in another way.
  ...["корзина ", "カート", "购物车", "✅ ", "a✅"],
];

test("a megabyte that begins like a sequence of a terminal, over and over, comes back", () => {
  const starts = [
    "\u001b[",
    "\u001b[1;2",
    "\u001b]8;;",
    "\u001bP1",
    "\u009d",
    "\\u001b[12;",
    "^[[1;",
    "[1;1",
    "[31m",
    "[1ma",
    "[2K",
  ];
  for (const start of starts)
    for (const text of [
      start.repeat(1_000_000 / start.length),
      start + "1".repeat(1_000_000),
      start + ";".repeat(1_000_000),
    ])
      assert.equal(typeof withoutUnsaid(text), "string", start);
});

test("any text that repeats one piece comes back from every reader", () => {
  const event = { line: 1, at: 1, branch: null };
  for (const piece of PIECES) {
    const text = long(piece);
    withoutUnsaid(text);
    typedPrompt(text);
    tellingLine(text);
    pickIn(text, text.slice(0, 200));
    nudgeFor(text, text);
    shellCommands(text);
    assert.equal(typedParts(text, null).map((part) => part.text).join(""), text); // prettier-ignore
    plainSentences(text);
    const tool = { label: "tool" as const, text, at: 1 };
    const ran = {
      ...tool,
      call: { name: "Bash", command: `npm test ${text}`, path: null, edits: false, failed: true },
    };
    const committed = { ...tool, call: { ...ran.call, command: `git commit ${text.slice(0, 4_000)}` } };
    const parts: Part[] = [{ label: "own", text, at: 1 }, ran, committed, { label: "agent", text, at: 1 }];
    const turns: SessionTurn[] = [{ at: 1, branch: text, parts }];
    assert.ok(cardOf({ session: "s", host: "codex", turns }) !== null);
    isQuotedFrom(runsOf([text]), text.slice(0, 4_000));
    for (const host of ["claude-code", "codex"] as const) eventsOfLine(text, 0, host);
    eventsOfLine(JSON.stringify({ type: "function_call", arguments: text, input: text }), 0, "codex");
    eventsOfLine(JSON.stringify({ type: "function_call_output", output: text }), 0, "codex");
    toolUse({ tool_name: "apply_patch", mcp_server: text, tool_input: { command: text }, tool_response: text });
    const call = { ...event, kind: "call", call: "c", tool: "Bash", command: text, path: null, text: null } as const;
    const result = { ...event, kind: "result", call: "c", text, isError: false } as const;
    const said = (["prompt", "reply"] as const).map((kind) => ({ ...event, kind, text }));
    const events = [call, result, ...said].map((one) => redactEvent(one, 1));
    const { steps } = foldSession(NEW_SESSION, events, "session_end");
    const turnsOf = steps.flatMap((step) => ("turn" in step ? [step.turn] : []));
    assert.ok(turnsOf.length >= 1 && notesOf("s", turnsOf).length <= 12, piece);
    assert.ok(errorsOf([...turns, ...turnsOf]).length <= 2, piece);
  }
});
