import assert from "node:assert/strict";
import { test } from "node:test";
import { createGrammars } from "../../../src/files/parse/grammars.ts";
import { parseFile } from "../../../src/files/parse/parse-file.ts";

const grammars = createGrammars();

async function parsed(path: string, text: string, shelf: "code" | "document" = "code", limitMs?: number) {
  return (await parseFile({ path, text, shelf }, grammars, limitMs)).file;
}

/** Each symbol as `kind qualified.name`; see below for signatures and comments. */
const cases: [path: string, text: string, symbols: string][] = [
  [
    "a.ts",
    `/** Doc. */
export class Foo<T> extends Bar {
  private readonly field = (a: number) => {};
  constructor() { super(); }
  async run(a: number): Promise<void> { const local = 1; }
}
export interface I { go(): void }
export type A = string;
export enum E { A }
export const X = 3;
export const f = async (a: number) => { const inner = 3; function g() {} };
export { X as Q, f } from "./x.ts";
export default f;
namespace N { export function q() {} }
declare function dd(): void;
const obj = { method() {}, arrow: () => 1 };
describe("a", () => { const local = 1; });
`,
    "class Foo, method Foo.field, method Foo.constructor, method Foo.run, interface I, method I.go, type A, enum E, " +
      "constant X, function f, function f.g, export Q, export default, module N, function N.q, function dd, " +
      "constant obj, method obj.method, method obj.arrow",
  ],
  ["a.tsx", "export function App() { return <p>hi</p>; }", "function App"],
  [
    "a.js",
    `exports.foo = function () {};
module.exports = { a };
Foo.prototype.baz = function () { el.onclick = () => {}; };
class A { static m() {} f = () => {} }
function* gen() {}
`,
    "function foo, export module.exports, method Foo.baz, class A, method A.m, method A.f, function gen",
  ],
  [
    "a.py",
    `MAX = 3
class A(B):
    LIMIT = 1
    @property
    def run(self):
        VALUE = 1
        def inner(): pass
async def top(): pass
other = 1
`,
    "constant MAX, class A, constant A.LIMIT, method A.run, function A.run.inner, function top",
  ],
  [
    "a.go",
    `package main
type Server struct { a int }
type I interface { Go(x int) error }
type A = int
const ( Y = 1 )
func (s *Server) Start() error { const local = 1; return nil }
func New() *Server { return nil }
`,
    "class Server, interface I, method I.Go, type A, constant Y, method Server.Start, function New",
  ],
  [
    "a.rs",
    `pub struct S<T> { a: T }
pub trait T1 { fn go(&self); }
impl<T> T1 for S<T> { fn go(&self) {} }
enum E { A }
type B = u8;
const X: u8 = 1;
mod m { fn inner() {} }
macro_rules! mac { () => {} }
`,
    "class S, interface T1, method T1.go, method S.go, enum E, type B, constant X, module m, function m.inner, " +
      "function mac",
  ],
  [
    "A.java",
    `package a;
public class A<T> {
  public static final int X = 3;
  private int y;
  public A() {}
  @Override
  public void run(int a) { }
  interface I { void go(); }
  enum E { A }
}
record R(int a) {}
`,
    "class A, constant A.X, method A.A, method A.run, interface A.I, method A.I.go, enum A.E, class R",
  ],
  [
    "a.cpp",
    `#define MAXX 10
static int
foo(int a)
{ int local(3); return a; }
namespace ns {
template <typename T> class Bar { public: void baz(int x) { } int decl(int); };
enum Color { RED };
using Alias = int;
const int K = 3;
}
void ns::Bar::qux() { }
char **ptr(void) { return 0; }
`,
    "constant MAXX, function foo, module ns, class ns.Bar, method ns.Bar.baz, method ns.Bar.decl, enum ns.Color, " +
      "type ns.Alias, constant ns.K, method ns.Bar.qux, function ptr",
  ],
  [
    "a.c",
    "struct point { int x; };\ntypedef int (*callback)(int);\nint add(int a);\n",
    "class point, type callback, function add",
  ],
  [
    "a.cs",
    `namespace A.B {
  public class Foo { public const int X = 3; public int Prop { get; set; } public void Run() { } }
  interface IThing { void Go(); }
  record R(int A);
}
`,
    "module A.B, class A.B.Foo, constant A.B.Foo.X, method A.B.Foo.Prop, method A.B.Foo.Run, interface A.B.IThing, " +
      "method A.B.IThing.Go, class A.B.R",
  ],
  [
    "a.rb",
    `module M
  class Foo < Bar
    LIMIT = 3
    def run(a)
    end
    def self.make; end
  end
end
def top; end
class A::B; end
`,
    "module M, class M.Foo, constant M.Foo.LIMIT, method M.Foo.run, method M.Foo.make, function top, class A.B",
  ],
  [
    "a.php",
    `<?php
class Foo { const X = 1; public function run() {} }
interface I { function go(); }
trait T { }
enum E: string { case A = 'a'; }
function f($x) { }
`,
    "class Foo, constant Foo.X, method Foo.run, interface I, method I.go, class T, enum E, function f",
  ],
  [
    "a.sh",
    "greet() { local A=1; }\nfunction bye { :; }\nreadonly LIMIT=3\nx=1\n",
    "function greet, function bye, constant LIMIT",
  ],
  [
    "a.ps1",
    "function Get-Thing { param($a) }\nclass Foo { [void] Run() { } }\nenum Color { Red }\n",
    "function Get-Thing, class Foo, method Foo.Run, enum Color",
  ],
  [
    "a.css",
    ":root { --main: red; }\n.foo, #bar { color: red; }\n@keyframes spin { from {} }\n",
    "class :root, constant :root.--main, class .foo, #bar, constant spin",
  ],
  ["a.ini", "[section]\nkey = value\n", "module section, constant section.key"],
];
for (const [path, text, symbols] of cases) {
  test(`${path}: ${symbols}`, async () => {
    const file = await parsed(path, text);
    assert.equal(file.fault, null);
    const found = file.symbols.map(({ kind, container, name }) => `${kind} ${container ? `${container}.` : ""}${name}`);
    assert.equal(found.join(", "), symbols);
    assert.ok(file.passages.length > 0);
  });
}

test("a symbol has its head on one line, its lines, and the first paragraph said about it", async () => {
  const python = `@cached(
    size=3)
async def top(
    a: int,
    b: str = "x",
) -> int:  # remarkable
    """Runs it
    twice.

    More.
    """
    return 1
`;
  const [top] = (await parsed("a.py", python)).symbols;
  const signature = 'async def top( a: int, b: str = "x", ) -> int';
  assert.deepEqual(top, {
    kind: "function",
    name: "top",
    container: null,
    startLine: 1,
    endLine: 12,
    signature,
    doc: "Runs it twice.",
  });
  const typescript =
    "/**\n * Opens it.\n *\n * @param a that\n */\nexport const open = async (a: string): Promise<void> => {\n  run();\n};\n";
  const [open] = (await parsed("a.ts", typescript)).symbols;
  assert.equal(open?.signature, "export const open = async (a: string): Promise<void>");
  assert.deepEqual([open?.startLine, open?.endLine, open?.doc], [6, 8, "Opens it."]);
  const [long] = (await parsed("a.ts", `type Long = ${'"x" | '.repeat(200)}"y";`)).symbols;
  assert.equal(long?.signature.length, 200);
});

test("a passage holds a definition with its comment, under its qualified name", async () => {
  const body = "  work();\n".repeat(95);
  const text = `import x from "x";\n\n/** Opens it. */\nfunction open() {\n${body}}\n\n/** Closes it. */\nfunction close() {\n${body}}\n`;
  const { passages } = await parsed("a.ts", text);
  assert.deepEqual(
    passages.map(({ heading, startLine }) => [heading, startLine]),
    [
      [null, 1],
      ["open", 3],
      ["close", 102],
    ],
  );
  assert.match(passages[1]?.text ?? "", /^\/\*\* Opens it\. \*\/\nfunction open/);
});

test("a language without a grammar is text in windows", async () => {
  const file = await parsed("a.zig", "const x = 1;\n".repeat(200));
  assert.deepEqual([file.language, file.symbols, file.fault], ["zig", [], null]);
  assert.deepEqual(
    file.passages.map(({ startLine, endLine }) => [startLine, endLine]),
    [
      [1, 150],
      [141, 200],
    ],
  );
  assert.equal((await parsed("thing", "plain\n")).language, null);
});

test("what takes too long to parse keeps its text and says so; the next file is parsed", async () => {
  const slow = await parsed("a.ts", "f(".repeat(20_000), "code", 1);
  assert.match(slow.fault ?? "", /longer than 1 ms/);
  assert.ok(slow.passages.length > 0);
  assert.deepEqual(slow.symbols, []);
  assert.equal((await parsed("b.ts", "function next() {}")).symbols[0]?.name, "next");
});

test("broken, deep and hostile text loses nothing", async () => {
  const texts: [string, string][] = [
    ["a.ts", "function a( { class } ]] export const = ;"],
    ["a.py", "def a(:\n  class\n\tx = = 1\n"],
    ["a.ts", "\ud800 function \udfff a() {}\u0000"],
    ["a.ts", `${"{".repeat(300)}function deep() {}`],
    ["a.ts", "function a(){".repeat(200)],
    ["a.cpp", "#if 1\n".repeat(200)],
    ["a.js", `${"function f(){}".repeat(300)}`],
  ];
  for (const [path, text] of texts) {
    const file = await parsed(path, text);
    assert.ok(file.passages.length > 0);
    assert.ok(
      file.passages
        .map((passage) => passage.text)
        .join("")
        .includes(text.trim().slice(-20)),
    );
  }
  assert.deepEqual((await parsed("a.ts", "")).passages, []);
});

test("text documents are cut like prose", async () => {
  const file = await parsed("notes.txt", `${"word ".repeat(300)}\n`, "document");
  assert.equal(file.language, "text");
  assert.ok(file.passages.length > 1 && file.passages.every(({ text }) => text.length <= 900));
});

test("markdown has headings and references", async () => {
  const file = await parsed("README.md", "# Title\n\nSee [that](docs/that.md).\n", "document");
  assert.deepEqual([file.title, file.references, file.fault], ["Title", ["docs/that.md"], null]);
  assert.equal(file.language, "markdown");
});
