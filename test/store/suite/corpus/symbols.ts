/** Symbols: found by name, by its beginning, by what it resembles, and gone with their file. */
import assert from "node:assert/strict";
import type { CodeSymbol } from "../../../../src/files/corpus.ts";
import type { Item } from "../../../../src/memory/item.ts";
import type { SymbolQuery } from "../../../../src/recall/search.ts";
import { apply, applyInVain, type CorpusStore, insertion, newItem, removal, revision, type Trials } from "../trial.ts";

const symbol = (name: string, set: Partial<CodeSymbol> = {}): CodeSymbol => ({
  kind: "function",
  name,
  container: null,
  startLine: 1,
  endLine: 2,
  signature: `function ${name}()`,
  doc: null,
  ...set,
});

/** A code file that defines these. */
async function define(store: CorpusStore, path: string, symbols: CodeSymbol[], language = "typescript"): Promise<Item> {
  const item = newItem({ path, context: { branch: null, commits: [], files: [], symbols: [], language } });
  await apply(store, insertion("code", item), { kind: "put_symbols", itemId: item.id, symbols });
  return item;
}

const defineNames = (store: CorpusStore, ...names: string[]) =>
  define(
    store,
    "src/names.ts",
    names.map((name) => symbol(name)),
  );

async function namesOf(store: CorpusStore, name: string, how: SymbolQuery["how"], limit = 100): Promise<string[]> {
  return (await store.symbols({ name, how }, limit)).map((found) => found.name);
}

export function testSymbols(trials: Trials<CorpusStore>): void {
  testNames(trials);
  testLikeness(trials);
  testNarrowing(trials);
  testLife(trials);
  testConventions(trials);
}

function testNames({ once }: Trials<CorpusStore>): void {
  once("a symbol is read as it was put, with its file", async (store) => {
    const whole = symbol("apply", {
      kind: "method",
      container: "Store",
      startLine: 7,
      endLine: 9,
      doc: "The only one.",
    });
    const item = await define(store, "src/store.ts", [whole]);
    const expected = [{ ...whole, itemId: item.id, path: "src/store.ts" }];
    assert.deepEqual(await store.symbols({ name: "apply", how: "exact" }, 9), expected);
    assert.deepEqual(await store.symbolsOf([item.id, "unknown"]), expected);
  });
  once("exactly: this name, the same case first", async (store) => {
    await defineNames(store, "USER", "user", "User", "users", "use");
    assert.deepEqual(await namesOf(store, "User", "exact"), ["User", "USER", "user"]);
    assert.deepEqual(await namesOf(store, "User", "exact", 1), ["User"]);
    assert.deepEqual(await namesOf(store, "%", "exact"), []);
  });
  once("by the beginning: the same case first, then the shorter", async (store) => {
    await defineNames(store, "getUserById", "GetUser", "getUser", "forgetUser", "ge", "été");
    assert.deepEqual(await namesOf(store, "getU", "prefix"), ["getUser", "getUserById", "GetUser"]);
    assert.deepEqual(await namesOf(store, "g", "prefix", 2), ["ge", "getUser"]);
    assert.deepEqual(await namesOf(store, "ét", "prefix"), ["été"]);
    assert.deepEqual(await namesOf(store, "g_t", "prefix"), []);
  });
}

function testLikeness({ once }: Trials<CorpusStore>): void {
  once("similar: a slip, another case or a part of the name finds it among others", async (store) => {
    await defineNames(store, "getUserById", "openDatabase", "parseMarkdown", "closeEverything", "userByIdentifier");
    const cases: [asked: string, found: string][] = [
      ["getUsreById", "getUserById"],
      ["GETUSERBYID", "getUserById"],
      ["openDatabse", "openDatabase"],
      ["OpenDataBase", "openDatabase"],
      ["parse_markdown", "parseMarkdown"],
      ["markdown", "parseMarkdown"],
    ];
    for (const [asked, found] of cases) assert.equal((await namesOf(store, asked, "similar"))[0], found, asked);
    assert.ok(!(await namesOf(store, "getUsreById", "similar")).includes("openDatabase"));
    assert.deepEqual(await namesOf(store, "xyzzyplugh", "similar"), []);
  });
  once("similar: short names still find their like", async (store) => {
    await defineNames(store, "id", "ids", "path", "puts", "x", "parameter");
    assert.equal((await namesOf(store, "paht", "similar"))[0], "path");
    assert.equal((await namesOf(store, "id", "similar"))[0], "id");
    assert.equal((await namesOf(store, "X", "similar"))[0], "x");
    assert.ok(!(await namesOf(store, "paht", "similar")).includes("parameter"));
  });
  once("what is no name harms nothing", async (store) => {
    await defineNames(store, '"quoted" name', "名前の検索", "a\0b");
    const strange = ["", " ", '"', '""" OR x', "a\0b\0c", "\ud800\ud800\ud800", "*", "NEAR(a b)", "x".repeat(10_000)];
    for (const name of strange)
      for (const how of ["exact", "prefix", "similar"] as const) await namesOf(store, name, how);
    assert.deepEqual(await namesOf(store, "名前の検", "similar"), ["名前の検索"]);
    assert.deepEqual(await namesOf(store, '"quoted', "similar"), ['"quoted" name']);
  });
}

function testNarrowing({ once }: Trials<CorpusStore>): void {
  once("kinds, languages and places narrow every way of looking", async (store) => {
    const parsers = [symbol("parseLine"), symbol("parseLine", { kind: "class", startLine: 5 })];
    const [one, other] = [
      await define(store, "src/one.ts", parsers),
      await define(store, "lib/other.py", [symbol("parseLine")], "python"),
    ];
    for (const how of ["exact", "prefix", "similar"] as const) {
      const find = async (narrow: Partial<SymbolQuery>) =>
        (await store.symbols({ name: "parseLine", how, ...narrow }, 9)).map(({ itemId, kind }) => [itemId, kind]);
      assert.equal((await find({})).length, 3, how);
      assert.deepEqual(await find({ kinds: ["class", "enum"] }), [[one.id, "class"]], how);
      assert.deepEqual(await find({ languages: ["python"] }), [[other.id, "function"]], how);
      assert.deepEqual(await find({ pathPrefix: "lib/" }), [[other.id, "function"]], how);
      assert.deepEqual(await find({ pathPrefix: "src/", languages: ["python"] }), [], how);
    }
  });
}

function testLife({ once }: Trials<CorpusStore>): void {
  const everyWay = async (store: CorpusStore, name: string) =>
    (await Promise.all((["exact", "prefix", "similar"] as const).map((how) => namesOf(store, name, how)))).flat();

  once("new symbols of a file take the place of the old ones, and only of its own", async (store) => {
    const item = await define(store, "a.ts", [symbol("walrusOne"), symbol("walrusTwo")]);
    await define(store, "b.ts", [symbol("walrusTwo")]);
    await apply(store, { kind: "put_symbols", itemId: item.id, symbols: [symbol("heronOne")] });
    assert.deepEqual(await everyWay(store, "walrusOne"), ["walrusTwo"]);
    assert.equal((await everyWay(store, "heronOne")).length, 3);
    assert.equal((await store.symbolsOf([item.id])).length, 1);
  });
  once("symbols go with their file, and are not seen while it is not active", async (store) => {
    const [gone, erased, hidden] = [
      await define(store, "a.ts", [symbol("walrus")]),
      await define(store, "b.ts", [symbol("walrus")]),
      await define(store, "c.ts", [symbol("walrus")]),
    ];
    await apply(store, removal("code", gone), { kind: "purge_items", ids: [erased.id], queries: [] });
    assert.equal((await everyWay(store, "walrus")).length, 3);
    await apply(store, revision("code", hidden, { status: "archived" }));
    assert.deepEqual(await everyWay(store, "walrus"), []);
    assert.deepEqual(await store.symbolsOf([gone.id, erased.id]), []);
  });
  once("symbols of a file that is not there are refused", async (store) => {
    await applyInVain(store, "put_symbols", { kind: "put_symbols", itemId: "unknown", symbols: [symbol("walrus")] });
    const document = newItem({ path: "a.md" });
    await apply(store, insertion("document", document));
    await applyInVain(store, "put_symbols", { kind: "put_symbols", itemId: document.id, symbols: [] });
  });
}

function testConventions({ once }: Trials<CorpusStore>): void {
  const NAMES = {
    camelCase: "getUser",
    PascalCase: "GetUser",
    snake_case: "get_user",
    UPPER_CASE: "GET_USER",
    plain: "get",
    other: "_get",
  };
  once("names are counted by language, kind and style, each with a place", async (store) => {
    for (const [index, [style, name]] of Object.entries(NAMES).entries()) {
      const more = symbol(name, { kind: "method", startLine: 20 });
      const files = [`src/${style}.ts`, `src/${style}-two.ts`];
      await define(store, files[0]!, [symbol(name, { startLine: index + 1 }), more]);
      await define(store, files[1]!, [symbol(name)]);
    }
    await define(store, "a.py", [symbol("A", { kind: "class" }), symbol("Get_User", { kind: "enum" })], "python");
    await define(store, "b.py", [symbol("MAX", { kind: "constant" }), symbol("mod", { kind: "module" })], "python");
    const { styles, paths } = await store.conventionCounts(100);
    const ofFunctions = styles.filter(({ named }) => named === "functions");
    assert.deepEqual(
      new Map(
        ofFunctions.map(({ style, language, names, files, path, line }) => [
          style,
          { language, names, files, path, line },
        ]),
      ),
      new Map(
        Object.keys(NAMES).map((style, index) => [
          style,
          { language: "typescript", names: 3, files: 2, path: `src/${style}.ts`, line: index + 1 },
        ]),
      ),
    );
    assert.deepEqual(
      styles
        .filter(({ language }) => language === "python")
        .map(({ named, style }) => `${named} ${style}`)
        .toSorted(),
      ["constants UPPER_CASE", "types PascalCase", "types other"],
    );
    assert.deepEqual(paths, paths.toSorted());
    assert.equal(paths.length, 14);
  });
  once("exports are counted by file; only the files that were indexed last count", async (store) => {
    const exported = (name: string, how: string) => symbol(name, { signature: `export ${how}function ${name}()` });
    await define(store, "old.ts", [exported("a", "")]);
    await define(store, "c.ts", [exported("a", ""), exported("b", ""), exported("c", "default ")]);
    const gone = await define(store, "d.ts", [exported("a", "")]);
    await define(store, "e.ts", [symbol("hidden"), exported("a", "")]);
    await apply(store, revision("code", gone, { status: "archived" }));
    const counts = async (files: number) => (await store.conventionCounts(files)).exports;
    assert.deepEqual(await counts(2), [
      { language: "typescript", isDefault: false, files: 2, path: "c.ts", line: 1 },
      { language: "typescript", isDefault: true, files: 1, path: "c.ts", line: 1 },
    ]);
    assert.equal((await counts(9))[0]!.files, 3);
    assert.deepEqual(await counts(0), []);
  });
}
