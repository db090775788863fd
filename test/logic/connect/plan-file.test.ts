/** Connecting a host: on any configuration, once or twice, and removed without a trace. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { planConnect, planRemove, startedIn } from "../../../src/logic/connect/plan-file.ts";
import { type Change, type Planned, isRefused } from "../../../src/logic/connect/planned.ts";
import { isCurrent } from "../../../src/logic/connect/recognise.ts";
import { wantedFiles } from "../../../src/logic/connect/wanted-entries.ts";
import { NO_UNDO } from "../../../src/model/connect/connection.ts";
import { HOSTS, type WantedFile } from "../../../src/model/connect/host.ts";
import { CONFIGURATIONS, MOVED, PROGRAM, placesIn } from "./fixtures.ts";

const PLACES = placesIn("/home/ann");

function changed(planned: Planned): Change {
  assert.ok(!isRefused(planned), JSON.stringify(planned));
  return planned;
}

/** Files of projects have the same entries; test/hosts/init.test.ts writes them. */
for (const host of HOSTS)
  for (const file of wantedFiles(host, "user", PROGRAM, PLACES))
    test(`${host}: ${file.path} gets our entries and loses them`, () => {
      const count = file.entries.filter(({ kind }) => kind !== "constant").length;
      for (const [what, before] of Object.entries(CONFIGURATIONS[file.format])) {
        const added = changed(planConnect(before, file, PROGRAM));
        assert.equal(added.added, count, what);
        const started = startedIn(added.text!, file) as Exclude<ReturnType<typeof startedIn>, { fault: string }>;
        assert.equal(started.length, count, what);
        assert.ok(
          started.every((one) => isCurrent(one, PROGRAM)),
          what,
        );
        const again = changed(planConnect(added.text, file, PROGRAM));
        assert.deepEqual([again.text, again.added, again.stale], [added.text, 0, []], what);
        assert.deepEqual(planRemove(added.text!, file, added.undo, before === null), { text: before }, what);
      }
    });

test("after the package has moved, only the paths change", () => {
  for (const host of HOSTS)
    for (const [index, file] of wantedFiles(host, "user", MOVED, PLACES).entries()) {
      const old = wantedFiles(host, "user", PROGRAM, PLACES)[index]!;
      for (const what of ["no file", "rich, with comments"]) {
        const before = CONFIGURATIONS[file.format][what] ?? null;
        const first = changed(planConnect(before, old, PROGRAM));
        const moved = changed(planConnect(first.text, file, MOVED));
        assert.deepEqual([moved.added, moved.stale], [0, [PROGRAM.entry]], what);
        const inPlace = first
          .text!.replaceAll(`'${PROGRAM.entry}'`, MOVED.entry)
          .replaceAll(PROGRAM.entry, MOVED.entry);
        assert.equal(moved.text, inPlace, what);
        assert.deepEqual(planRemove(moved.text!, file, first.undo, before === null), { text: before }, what);
      }
    }
});

const fileOf = (host: (typeof HOSTS)[number], index: number): WantedFile =>
  wantedFiles(host, "user", PROGRAM, PLACES)[index]!;

test("an entry that a person extended keeps what they added", () => {
  const file = fileOf("claude-code", 0);
  const own = `{"mcpServers": {"stele": {"command": "node", "args": ["/old/bin/stele.js", "mcp", "--tools", "full"], "env": {"STELE_HOME": "/m"}}}}`;
  const { text, stale } = changed(planConnect(own, file, PROGRAM));
  assert.deepEqual(stale, ["/old/bin/stele.js"]);
  assert.equal(text, own.replace("/old/bin/stele.js", PROGRAM.entry).replace('"node"', JSON.stringify(PROGRAM.node)));
});

test("entries that a host moved and reformatted are removed, and nothing else", () => {
  const file = fileOf("claude-code", 1);
  const line = JSON.stringify({ type: "command", command: PROGRAM.node, args: [PROGRAM.entry, "hook"] });
  const text = `{"hooks":{"Other":[{"hooks":[{"command":"a"},${line}]}],"Stop":[${line},{"hooks":[${line}]}]},"z":1}`;
  assert.deepEqual(planRemove(text, file, NO_UNDO, false), {
    text: '{"hooks":{"Other":[{"hooks":[{"command":"a"}]}],"Stop":[]},"z":1}',
  });
});

const FOREIGN: [string, WantedFile, string][] = [
  [
    "a server of that name",
    fileOf("claude-code", 0),
    '{"mcpServers": {"stele": {"command": "stele-lang", "args": ["lsp"]}}}',
  ],
  ["a remote server of that name", fileOf("cursor", 0), '{"mcpServers": {"stele": {"url": "https://example.org"}}}'],
  ["a table of that name", fileOf("codex", 0), '[mcp_servers.stele]\ncommand = "other"\n'],
  ["servers in a list", fileOf("claude-code", 0), '{"mcpServers": []}'],
  ["servers twice", fileOf("claude-code", 0), '{"mcpServers": {}, "mcpServers": {}}'],
  ["hooks in a list", fileOf("claude-code", 1), '{"hooks": []}'],
  ["hooks that are no list", fileOf("codex", 1), '{"hooks": {"Stop": {}}}'],
  ["a list", fileOf("gemini", 0), "[]"],
  ["a user list of the system", fileOf("claude-code", 0), "root:x:0:0:root:/root:/bin/sh\n"],
  ["TOML that is none", fileOf("codex", 0), "root:x:0:0:root:/root:/bin/sh\n"],
  ["an inline table of servers", fileOf("codex", 0), "mcp_servers = {}\n"],
];
for (const [what, file, text] of FOREIGN)
  test(`${what} is refused and left alone`, () => {
    const planned = planConnect(text, file, PROGRAM);
    assert.ok(isRefused(planned));
    assert.ok(planned.refused.includes(file.path) && planned.hint.startsWith("Nothing was changed."));
    const removed = planRemove(text, file, NO_UNDO, false);
    assert.ok("fault" in removed || removed.text === text);
  });

test("paths of Windows survive JSON, TOML and its shells", () => {
  const program = { node: "C:\\Program Files\\nodejs\\node.exe", entry: "C:\\Users\\Ann B\\stele\\bin\\stele.js" };
  for (const host of HOSTS)
    for (const file of wantedFiles(host, "user", program, placesIn("C:\\Users\\Ann B", "win32"))) {
      assert.ok(file.path.startsWith("C:\\Users\\Ann B\\") && !file.path.includes("/"));
      const { text } = changed(planConnect(null, file, program));
      const started = startedIn(text!, file) as Exclude<ReturnType<typeof startedIn>, { fault: string }>;
      assert.ok(started.length > 0 && started.every((one) => isCurrent(one, program)));
    }
});
