/** Connecting a host: on any configuration, once or twice, and removed without a trace. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { wantedFiles } from "../../src/agents/agent-table.ts";
import {
  type DataFolder,
  HOSTS,
  NO_UNDO,
  type Places,
  type Program,
  type WantedFile,
} from "../../src/agents/connection.ts";
import {
  type Change,
  isRefused,
  planConnect,
  type Planned,
  planRemove,
  startedIn,
} from "../../src/agents/plan-file.ts";
import { isCurrent, type Started } from "../../src/agents/recognise.ts";
import { CONFIGURATIONS, MOVED, OWN_DATA, placesIn, PROGRAM } from "./fixtures.ts";

const PLACES = placesIn("/home/ann");

function changed(planned: Planned): Change {
  assert.ok(!isRefused(planned), JSON.stringify(planned));
  return planned;
}

const ownData = (path: string): DataFolder => ({ path, variable: "STELE_HOME" });
const WINDOWS: Program = {
  node: "C:\\Program Files\\nodejs\\node.exe",
  entry: "C:\\Users\\Ann B\\stele\\bin\\stele.js",
  data: { path: "C:\\Users\\Ann B\\AppData\\Local\\stele", variable: null },
};
const MACHINES: [name: string, program: Program, places: Places][] = [
  ["Linux", PROGRAM, PLACES],
  ["Linux, with a data folder of its own", { ...PROGRAM, data: OWN_DATA }, PLACES],
  ["macOS", PROGRAM, placesIn("/Users/ann b", "darwin")],
  ["macOS, with a data folder of its own", { ...PROGRAM, data: OWN_DATA }, placesIn("/Users/ann b", "darwin")],
  ["Windows", WINDOWS, placesIn("C:\\Users\\Ann B", "win32")],
  [
    "Windows, with a data folder of its own",
    { ...WINDOWS, data: ownData("D:\\my memories\\stele") },
    placesIn("C:\\Users\\Ann B", "win32"),
  ],
];

/** Files of projects have the same entries; test/hosts/init.test.ts writes them. */
for (const host of HOSTS)
  for (const [machine, program, places] of MACHINES)
    test(`${host} on ${machine}: gets our entries, is left alone then, and loses them without a trace`, () => {
      for (const file of wantedFiles(host, "user", program, places)) {
        assert.ok(file.path.startsWith(places.home));
        assert.equal(file.path.includes(places.platform === "win32" ? "/" : "\\"), false, file.path);
        const count = file.entries.filter(({ kind }) => kind !== "constant").length;
        for (const [what, before] of Object.entries(CONFIGURATIONS[file.format])) {
          const added = changed(planConnect(before, file, program));
          assert.equal(added.added, count, what);
          const started = startsIn(added.text!, file);
          assert.equal(started.length, count, what);
          for (const one of started) {
            assert.ok(isCurrent(one, program), what);
            assert.equal(one.home, program.data.variable === null ? null : program.data.path, what);
          }
          const again = changed(planConnect(added.text, file, program));
          assert.deepEqual([again.text, again.added, again.stale, again.homes], [added.text, 0, [], []], what);
          assert.deepEqual(planRemove(added.text!, file, added.undo, before === null), { text: before }, what);
        }
      }
    });

function startsIn(text: string, file: WantedFile): Started[] {
  const started = startedIn(text, file);
  assert.ok(!("fault" in started));
  return started;
}

test("a data folder that was named later is carried into every entry, and removed with it", () => {
  for (const host of HOSTS)
    for (const [index, file] of wantedFiles(host, "user", { ...PROGRAM, data: OWN_DATA }, PLACES).entries()) {
      const old = wantedFiles(host, "user", PROGRAM, PLACES)[index]!;
      for (const what of ["no file", "rich, with comments"]) {
        const before = CONFIGURATIONS[file.format][what] ?? null;
        const first = changed(planConnect(before, old, PROGRAM));
        const named = changed(planConnect(first.text, file, { ...PROGRAM, data: OWN_DATA }));
        assert.deepEqual([named.added, named.stale, named.homes], [0, [], [""]], what);
        assert.ok(startsIn(named.text!, file).every(({ home }) => home === OWN_DATA.path));
        const elsewhere = { ...PROGRAM, data: ownData("/elsewhere") };
        const moved = changed(planConnect(named.text, wantedFiles(host, "user", elsewhere, PLACES)[index]!, elsewhere));
        assert.deepEqual(moved.homes, [OWN_DATA.path]);
        assert.ok(startsIn(moved.text!, file).every(({ home }) => home === "/elsewhere"));
        const unnamed = changed(planConnect(moved.text, old, PROGRAM));
        assert.equal(unnamed.text, moved.text, "the default is not written over a folder that somebody named");
        assert.deepEqual(planRemove(moved.text!, file, first.undo, before === null), { text: before }, what);
      }
    }
});

test("variables that a person gave our server stay beside the data folder, in whatever form", () => {
  const program = { ...PROGRAM, data: OWN_DATA };
  const [command, args] = [JSON.stringify(PROGRAM.node), JSON.stringify([PROGRAM.entry, "mcp", "--tools", "full"])];
  const cases: [WantedFile, string, string][] = [
    ...[`{"LOG":"warn"}`, `{"STELE_HOME":"/old","LOG":"warn"}`, "{}", "null"].map(
      (env): [WantedFile, string, string] => [
        fileOf("claude-code", 0),
        `{"mcpServers":{"stele":{"command":${command},"args":${args},"env":${env}}}}`,
        env.includes("LOG") ? "warn" : "",
      ],
    ),
    ...[
      `command = ${command}\nargs = ${args} # all\nenv = { LOG = "warn", STELE_HOME = "/old" }\n`,
      `command = ${command}\nargs = ${args}\nenv = { LOG = "warn" }\n`,
      `command = ${command}\nargs = ${args}\n[mcp_servers.stele.env]\nLOG = "warn"\nSTELE_HOME = "/old"\n`,
      `command = ${command}\nargs = ${args}\n[mcp_servers.stele.env]\nLOG = "warn"\n`,
      `command = ${command}\r\nargs = ${args} # LOG warn\r\n`,
    ].map((table): [WantedFile, string, string] => [
      fileOf("codex", 0),
      `[mcp_servers.stele]\n${table}[x]\na = 1\n`,
      "warn",
    ]),
  ];
  for (const [file, text, kept] of cases) {
    const { text: now } = changed(planConnect(text, file, program));
    assert.deepEqual(
      startsIn(now!, file).map(({ home, rest }) => [home, rest]),
      [[OWN_DATA.path, ["mcp", "--tools", "full"]]],
      text,
    );
    assert.ok(now!.includes(kept) && (file.format === "json" || now!.includes("a = 1")), now!);
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
