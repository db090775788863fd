/** Editing TOML: one table comes and goes, and every other byte stays. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isFault } from "../../src/agents/json-text.ts";
import { addToml, findToml, readToml, removeToml, type TomlEntry } from "../../src/agents/toml-text.ts";
import { runs } from "../lane.ts";

const PATH = ["mcp_servers", "stele"];
const VALUE = { command: "C:\\Program Files\\nodejs\\node.exe", args: ['/opt/a "b"/bin/stele.js', "mcp"] };

const BLOCKS = [
  "# a comment with [mcp_servers.stele] in it\n",
  "\n",
  'model = "gpt-5" # fast\n',
  'text = """\n[mcp_servers.stele]\ncommand = "x"\n"""\n',
  "path = 'C:\\dir\\'\n",
  "list = [ 1, # one\n  [2.5, 'x'],\n]\n",
  "when = 1979-05-27 07:32:00Z\n",
  '[mcp_servers.other]\ncommand = "npx"\nenv = { KEY = "v", "a.b" = 1 }\n\n',
  '[ "quoted key" . sub ]\n  odd.dotted . key = true\n',
  "[[profiles]]\nname = 'a'\n[profiles.inner]\nx = +1_000\n",
  "[mcp_servers]\nplain = { url = 'http://x' }\n",
];
const documents = fc
  .tuple(fc.uniqueArray(fc.constantFrom(...BLOCKS), { maxLength: 7 }), fc.boolean(), fc.boolean(), fc.boolean())
  .map(([blocks, isWindows, isCut, hasMark]) => {
    const text = blocks.join("");
    const cut = isCut ? text.replace(/\n+$/, "") : text;
    return (hasMark ? "\ufeff" : "") + (isWindows ? cut.replaceAll("\n", "\r\n") : cut);
  });

function entryIn(text: string): TomlEntry {
  const entry = findToml(text, PATH);
  if (entry === null || isFault(entry)) throw new Error(`${JSON.stringify(entry)}\n${text}`);
  return entry;
}

test("a table is added, found, and removed without a trace", () => {
  fc.assert(
    fc.property(documents, (text) => {
      assert.equal(findToml(text, PATH), null);
      const added = addToml(text, PATH, VALUE);
      assert.deepEqual({ ...entryIn(added.text).value }, VALUE);
      assert.equal(removeToml(added.text, entryIn(added.text), added.lead), text);
    }),
    { numRuns: runs(300) },
  );
});

test("what was written behind it later stays, and is still TOML", () => {
  fc.assert(
    fc.property(documents, (text) => {
      const added = addToml(text, PATH, VALUE);
      const later = `${added.text}\n# later\n[later]\nx = 1\n`;
      const left = removeToml(later, entryIn(later), added.lead);
      assert.ok(left.startsWith(text) && left.endsWith("\n# later\n[later]\nx = 1\n"), left);
      assert.ok(Array.isArray(readToml(left)), left);
      assert.equal(findToml(left, PATH), null);
    }),
  );
});

const FORMS: [string, string, string][] = [
  [
    "a table with subtables",
    '[mcp_servers.stele]\ncommand = "n"\n\n[mcp_servers.stele.env]\nA = "b"\n# end\n',
    "\n# end\n",
  ],
  [
    "a table apart from its subtable",
    '[mcp_servers.stele.env]\nA = "b"\n[x]\n[mcp_servers."stele"]\ncommand = "n"\n',
    "[x]\n",
  ],
  [
    "an inline table",
    '[mcp_servers]\nstele = { command = "n", args = ["a"] } # ours\nb = {}\n',
    "[mcp_servers]\nb = {}\n",
  ],
  ["dotted keys", '[mcp_servers]\nstele.command = "n"\nb = {}\nstele.args = [\n"a"]\n', "[mcp_servers]\nb = {}\n"],
  ["dotted keys at the root", 'mcp_servers.stele.command = "n"\nz = 1\n', "z = 1\n"],
];
for (const [what, text, left] of FORMS)
  test(`it is found and removed as ${what}`, () => {
    const entry = entryIn(text);
    assert.equal(entry.value["command"], "n");
    const node = entry.nodeOf("command")!;
    assert.equal(text.slice(node.start, node.end), '"n"');
    assert.equal(removeToml(text, entry, ""), left);
  });

test("a form that cannot be extended is refused, not broken", () => {
  for (const text of [
    'mcp_servers = { a = { command = "x" } }',
    '[[mcp_servers]]\nname = "a"',
    '[[mcp_servers.stele]]\ncommand = "a"',
    'mcp_servers.other.command = "x"',
    "mcp_servers = 1",
  ])
    assert.ok(isFault(findToml(text, PATH) ?? {}), text);
});

test("what is not TOML is refused with its line", () => {
  for (const text of [
    "a",
    "a = ",
    "[a",
    "a = 1 2",
    'a = "x',
    "a = [1 2]",
    "= 1",
    '{"json": 1}',
    'a = "\\q"',
    '"""',
    "a = {",
  ])
    assert.ok(isFault(readToml(text)), text);
  assert.deepEqual(readToml("a = 1\n\nb\n"), { fault: "line 3 is not TOML" });
  assert.ok(isFault(readToml(`a = ${"[".repeat(50_000)}`)));
});

test("strings are read as TOML writes them", () => {
  const cases: [string, string][] = [
    ['"a\\tb\\u00e9\\\\"', "a\tbé\\"],
    ["'C:\\x'", "C:\\x"],
    ['"""\nline \\\n   on"""', "line on"],
    ["'''\nraw\\'''", "raw\\"],
    ['""""quoted""""', '"quoted"'],
  ];
  for (const [source, value] of cases) {
    const [statement] = readToml(`a = ${source}`) as Exclude<ReturnType<typeof readToml>, { fault: string }>;
    assert.equal(statement!.node!.value, value);
  }
});
