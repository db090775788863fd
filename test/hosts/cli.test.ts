import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnyOperation } from "../../src/catalog/operation.ts";
import { parseArguments } from "../../src/cli/arguments.ts";
import { overview } from "../../src/cli/help.ts";
import { type CliOptions, runCli } from "../../src/cli/run.ts";
import { terminal } from "../../src/cli/terminal.ts";
import { Failure } from "../../src/errors.ts";
import { catalogOf } from "../catalog-of.ts";
import { type Child, startChild } from "../child.ts";
import { catalog } from "./fixtures/catalog.ts";
import { streams } from "./fixtures/streams.ts";
import { fakeWorld } from "./fixtures/world.ts";

const verb = (name: string): AnyOperation => catalog.find((op) => op.name === name)!;

interface Ran {
  code: number;
  out: string;
  err: string;
  opened: { project?: string }[];
  closed: number;
}

async function run(
  argv: string[],
  options: Partial<CliOptions> & { stdin?: string | Buffer; tty?: boolean } = {},
): Promise<Ran> {
  const { io, out, err } = streams(options);
  const opened: { project?: string }[] = [];
  let closed = 0;
  const code = await runCli(argv, {
    catalog: catalogOf(catalog),
    io,
    attended: true,
    open: async ({ progress, ...rest }) => {
      opened.push(rest);
      return { world: fakeWorld(progress).world, close: async () => void closed++ };
    },
    ...options,
  });
  return { code, out: out(), err: err(), opened, closed };
}

const parsed: [verb: string, argv: string[], input: Record<string, unknown>, why: string][] = [
  ["find_notes", ["a b"], { query: "a b" }, "a positional"],
  ["find_notes", ["--query", "a"], { query: "a" }, "the same as a flag"],
  ["find_notes", ["a", "--limit", "3"], { query: "a", limit: 3 }, "a number"],
  ["find_notes", ["a", "--limit=-3"], { query: "a", limit: -3 }, "a negative number"],
  ["find_notes", ["a", "--limit", "-3"], { query: "a", limit: -3 }, "a negative number apart"],
  ["find_notes", ["a", "--limit", "x"], { query: "a", limit: "x" }, "no number stays text for the schema to refuse"],
  ["find_notes", ["a", "--min-priority", "7.5"], { query: "a", min_priority: 7.5 }, "kebab-case, nullable number"],
  ["find_notes", ["a", "--min_priority", "7"], { query: "a", min_priority: 7 }, "the field's own name"],
  ["find_notes", ["--pinned", "a"], { pinned: true, query: "a" }, "a switch takes no value"],
  ["find_notes", ["a", "--no-pinned"], { query: "a", pinned: false }, "a switch turned off"],
  ["find_notes", ["a", "--pinned=false"], { query: "a", pinned: false }, "a switch with a value"],
  ["find_notes", ["a", "--tags", "x", "--tags=y z"], { query: "a", tags: ["x", "y z"] }, "a list repeats"],
  [
    "find_notes",
    ["a", "--tag", "x", "--tags", "y"],
    { query: "a", tags: ["x", "y"] },
    "one entry or several, one list",
  ],
  ["find_notes", ["a", "--tags", "x,y"], { query: "a", tags: ["x,y"] }, "commas in free text are left to the schema"],
  ["find_notes", ["a", "--sort", "newest,oldest"], { query: "a", sort: ["newest", "oldest"] }, "fixed values"],
  ["find_notes", ["a", "--sorts=newest, oldest"], { query: "a", sort: ["newest", "oldest"] }, "in the plural too"],
  ["find_notes", ["a", "--tags="], { query: "a", tags: [""] }, "an empty value is a value"],
  ["find_notes", ["--", "--limit"], { query: "--limit" }, "after -- everything is text"],
  ["find_notes", ["- a list -x"], { query: "- a list -x" }, "text that begins with a dash"],
  ["find_notes", ["a", "--json", "--project", "/p"], { query: "a" }, "global flags are no input"],
  ["drop_notes", ["a", "b", "c"], { ids: ["a", "b", "c"] }, "a list takes all positionals"],
  ["find_notes", ["- x", "--tags", "- y"], { query: "- x", tags: ["- y"] }, "also as a value"],
  ["find_notes", ["-5"], { query: "-5" }, "a number in the place of text"],
  ["drop_notes", [], {}, "nothing is left to the schema"],
];
for (const [name, argv, input, why] of parsed)
  test(`${name} ${argv.join(" ")} → ${JSON.stringify(input)}: ${why}`, () =>
    assert.deepEqual(parseArguments(verb(name), argv).input, input));

const switches: [argv: string[], dryRun: boolean, help: boolean][] = [
  [["a"], false, false],
  [["a", "--dry-run"], true, false],
  [["a", "--dry-run=true"], true, false],
  [["a", "--dry-run=false"], false, false],
  [["a", "--dry-run", "--dry-run=false"], false, false],
  [["a", "--help=true"], false, true],
  [["a", "--help=false"], false, false],
];
for (const [argv, dryRun, help] of switches)
  test(`keep_note ${argv.join(" ")}: dry run ${dryRun}, help ${help}`, () => {
    const request = parseArguments(verb("keep_note"), argv);
    assert.deepEqual([request.dryRun, request.help], [dryRun, help]);
  });

const jsonFlags: [argv: string[], json: boolean][] = [
  [["a", "--json"], true],
  [["a", "--json=true"], true],
  [["a", "--JSON"], true],
  [["a", "--json=false"], false],
  [["a", "--json", "--json=false"], false],
  [["--", "--json"], false],
];
for (const [argv, json] of jsonFlags)
  test(`find-notes ${argv.join(" ")} answers in ${json ? "JSON" : "words"}`, async () => {
    const { code, out } = await run(["find-notes", ...argv]);
    assert.equal(code, 0);
    assert.equal(out.startsWith("{"), json);
  });

const piped: [verb: string, argv: string[], field: string | undefined, why: string][] = [
  ["keep_note", ["-"], "text", "in place"],
  ["keep_note", ["--text", "-"], "text", "as a flag"],
  ["keep_note", ["--text=-"], "text", "behind an equals sign"],
  ["keep_note", ["--text", "-", "--text", "b"], undefined, "the last one counts"],
  ["keep_note", ["--text", "b", "--text", "-"], "text", "also this way round"],
  ["ratify_note", ["n", "--form", "-"], undefined, "a choice is never piped"],
];
for (const [name, argv, field, why] of piped)
  test(`${name} ${argv.join(" ")} reads ${field ?? "nothing"} from standard input: ${why}`, () => {
    const { fromStdin, input } = parseArguments(verb(name), argv);
    assert.equal(fromStdin, field);
    if (field) assert.ok(!Object.hasOwn(input, field));
  });

const refused: [verb: string, argv: string[], message: RegExp, hint: RegExp][] = [
  ["find_notes", ["a", "--limt", "3"], /no flag --limt/, /--limit/],
  ["find_notes", ["a", "--top-k", "3"], /no flag --top-k/, /--limit/],
  ["find_notes", ["a", "--queries", "b"], /no flag --queries/, /--help/],
  ["find_notes", ["a", "--edit"], /no flag --edit/, /--help/],
  ["find_notes", ["a", "--jsn"], /no flag --jsn/, /--json/],
  ["find_notes", ["a", "-x"], /no flag -x/, /find-notes --help/],
  ["find_notes", ["a", "--no-json"], /no flag --no-json/, /--json|--help/],
  ["find_notes", ["a", "b"], /does not take the argument "b"/, /Quote text/],
  ["find_notes", ["a", "--query", "b"], /query is given twice\./, /--query/],
  ["find_notes", ["a", "--limit"], /--limit needs a value/, /--limit=VALUE/],
  ["find_notes", ["a", "--project", "--json"], /--project needs a value/, /--project=VALUE/],
  ["find_notes", ["a", "--dry-run"], /changes nothing/, /without/],
  ["keep_note", ["a", "--dry-run=maybe"], /--dry-run must be true or false\./, /leave it out/],
  ["keep_note", ["a", "--json=1"], /--json must be true or false\./, /leave it out/],
  ["keep_note", ["-v"], /no flag -v/, /`stele keep-note -- -v`/],
  ["keep_note", ["-", "--text", "-"], /text is given twice\./, /not both/],
  ["find_notes", ["-", "--session", "-"], /session and query cannot both be read from standard input/, /one of them/],
  ["count_slowly", ["a"], /does not take the argument "a"/, /--help/],
];
for (const [name, argv, message, hint] of refused)
  test(`${name} ${argv.join(" ")} is refused`, () => {
    assert.throws(
      () => parseArguments(verb(name), argv),
      (thrown: Failure) => thrown.code === "invalid_input" && message.test(thrown.message) && hint.test(thrown.hint),
    );
  });

test("an answer is rendered on stdout, stderr stays empty, the world is opened once and closed", async () => {
  const ran = await run(["find-notes", "a", "--project", "/p"]);
  assert.deepEqual(ran, {
    code: 0,
    out: "Found 10 notes about a.\n",
    err: "",
    opened: [{ reads: true, project: "/p" }],
    closed: 1,
  });
  assert.equal((await run(["find_notes", "a"])).code, 0, "underscores are accepted too");
});

const exits: [argv: string[], code: number, message: RegExp][] = [
  [["fail-note", "missing"], 3, /^stele: There is no such note\.\nList them first\.\n$/],
  [["fail-note", "conflict"], 4, /^stele: Somebody was faster\nRead it again\.\n$/],
  [["fail-note", "unavailable"], 5, /^stele: The model is away\n/],
  [["fail-note", "surprise"], 1, /^stele: nobody expected this\nThis is a defect/],
  [["fail-note", "otherwise"], 2, /^stele: how must be one of/],
  [["find-notes", "a", "--limit", "51"], 2, /^stele: --limit must be at most 50\.\n`stele find-notes --help` lists/],
  [["find-notes"], 2, /^stele: query is required\.\nFor example: `stele find-notes "how do we deploy"`; `/],
  [["ratify-note", "n"], 4, /^stele: ratify_note needs a person/],
  [["find-notess", "a"], 2, /There is no verb "find-notess"\.\nDid you mean `stele find-notes`\?/],
  [["mpc"], 2, /Did you mean `stele mcp`\?/],
  [["zzzzzzzz"], 2, /`stele --help` lists all verbs/],
  [["--json"], 2, /./],
  [["--limit", "3"], 2, /The verb must come before --limit/],
  [["help", "nonsense-verb"], 2, /There is no verb/],
  [["--help", "nonsense-verb"], 2, /There is no verb/],
  [["version"], 2, /Did you mean `stele --version`\?/],
  [["--verion"], 2, /There is no flag --verion\.\nDid you mean `stele --version`\?/],
  [["-V"], 2, /Did you mean `stele --version`\?/],
  [["--", "find-notes"], 2, /The verb must come before --\./],
];
for (const [argv, code, message] of exits)
  test(`${argv.join(" ")} exits with ${code}`, async () => {
    const ran = await run(argv);
    assert.equal(ran.code, code);
    assert.match(argv.includes("--json") ? ran.out : ran.err, message);
    assert.equal(ran.closed, ran.opened.length, "what was opened is closed");
  });

test("--json prints exactly one document for answers and failures, and nothing on stderr", async () => {
  const documents: [string[], (document: Record<string, unknown>) => unknown][] = [
    [["find-notes", "a", "--json"], ({ query }) => assert.equal(query, "a")],
    [["fail-note", "missing", "--json"], ({ error }) => assert.equal((error as { code: string }).code, "not_found")],
    [["fail-note", "surprise", "--json"], ({ error }) => assert.equal((error as { code: string }).code, "internal")],
    [
      ["no-such-verb", "--json"],
      ({ error }) => assert.deepEqual(Object.keys(error as object), ["code", "message", "hint"]),
    ],
    [
      ["find-notes", "--nope", "--json"],
      ({ error }) => assert.equal((error as { code: string }).code, "invalid_input"),
    ],
  ];
  for (const [argv, check] of documents) {
    const { out, err } = await run(argv);
    check(JSON.parse(out) as Record<string, unknown>);
    assert.equal(out.trimEnd().split("\n").length, 1);
    assert.equal(err, "");
  }
});

test("a world that cannot be closed does not add a second document", async () => {
  const open: CliOptions["open"] = async ({ progress }) => ({
    world: fakeWorld(progress).world,
    close: () => Promise.reject(new Error("stuck")),
  });
  const ran = await run(["find-notes", "a", "--json"], { open });
  assert.equal(ran.code, 1);
  assert.equal(JSON.parse(ran.out).query, "a");
  assert.match(ran.err, /^stele: stuck\n/);
});

test("a dry run lists the changes; as JSON it shows binary data by its length", async () => {
  const text = await run(["keep-note", "a", "--dry-run"]);
  assert.equal(text.code, 0);
  assert.equal(text.out, "Dry run: nothing was written.\n" + "would add memory n1 A note\nwould remove memory a, b\n");
  const idle = await run(["drop-notes", "a", "b", "--dry-run"]);
  assert.equal(idle.out, "Dry run: nothing was written.\nDropped a and b.\n", "without changes the answer is told");
  const { dryRun, answer, changes } = JSON.parse((await run(["keep-note", "a", "--dry-run", "--json"])).out);
  assert.equal(dryRun, true);
  assert.deepEqual(answer, { status: "applied", text: "a" });
  assert.deepEqual(changes[0].passages[0].tokens, { length: 3 });
});

test("a dash reads standard input, bounded and as text", async () => {
  for (const argv of [["-"], ["--text", "-"]])
    assert.equal((await run(["keep-note", ...argv], { stdin: "two\nlines\n" })).out, "applied: two\nlines\n");
  const long = await run(["keep-note", "-"], { stdin: Buffer.alloc(4 * 1024 * 1024 + 1, "a") });
  assert.deepEqual([long.code, long.opened.length], [2, 0]);
  const binary = await run(["keep-note", "-"], { stdin: Buffer.from([0xff, 0xfe]) });
  assert.match(binary.err, /not UTF-8/);
});

test("control characters of stored text never reach the screen", async () => {
  const { out } = await run(["keep-note", "a\u001b[31mred\u0007\r\nb\tc"]);
  assert.equal(out, "applied: a[31mred\nb\tc\n");
});

test("help of a verb has usage, summary, every flag, defaults, values and examples, and opens nothing", async () => {
  for (const argv of [
    ["find-notes", "--help"],
    ["help", "find-notes"],
    ["--help", "find-notes"],
    ["find-notes", "-h"],
  ]) {
    const { code, out, opened } = await run(argv);
    assert.deepEqual([code, opened.length], [0, 0]);
    for (const fact of [
      "Usage: stele find-notes <query> [--flags]",
      "Find notes that answer a question.",
      "--limit NUMBER",
      "(1 to 50; default 10)",
      "--kind short|long",
      "--tags TEXT",
      "may be repeated",
      "--[no-]pinned",
      "--min-priority NUMBER",
      "--project DIR",
      'stele find-notes "how do we deploy"',
    ])
      assert.ok(out.includes(fact), `${fact} is missing in\n${out}`);
    assert.ok(!out.includes("--dry-run"), "a verb that reads has no dry run");
  }
  assert.ok((await run(["keep-note", "--help"])).out.includes("--dry-run"));
  assert.match((await run(["ratify-note", "--help"])).out, /--form none\|consent\|full\|unsteady\s.*default consent/);
  assert.match((await run(["find-notes", "--help"])).out, /--order newest\|oldest\|latest[^-]*default newest/);
  assert.ok((await run(["help", "mcp"])).out.includes("--tools default|full"));
});

test("the overview names every verb and process, and is what help shows", async () => {
  const text = overview(catalog);
  for (const op of catalog) assert.ok(text.includes(`  ${op.name.replaceAll("_", "-")} `));
  for (const word of ["mcp", "demo", "--version", "--json", "--dry-run"]) assert.ok(text.includes(word));
  for (const argv of [[], ["--help"], ["-h"], ["help"]]) assert.equal((await run(argv)).out, text);
  assert.ok(text.split("\n").every((line) => line.length <= 80));
});

const prompts: [form: string, typed: string, code: number, out: string][] = [
  ["consent", "y\n", 0, '{"agree":true}\n'],
  ["consent", "\n", 4, ""],
  ["consent", "perhaps\nYES\n", 0, '{"agree":true}\n'],
  ["consent", "", 4, ""],
  ["full", "y\n2\n\n", 0, '{"agree":true,"how":"partly","reason":"because"}\n'],
  ["full", "y\nfully\nno time\n", 0, '{"agree":true,"how":"fully","reason":"no time"}\n'],
  ["full", "y\n9\nx\n7\n", 4, ""],
];
for (const [form, typed, code, out] of prompts)
  test(`a person who types ${JSON.stringify(typed)} into the ${form} form`, async () => {
    const ran = await run(["ratify-note", "n", "--form", form], { stdin: typed, tty: true });
    assert.deepEqual([ran.code, ran.out], [code, out]);
    assert.match(ran.err, /^Ratify it\?/);
    assert.ok(!ran.err.includes("\u001b[2J"), "a question cannot clear the screen");
  });

test("nobody is asked at an unattended terminal", async () => {
  const ran = await run(["ratify-note", "n"], { stdin: "y\n", tty: true, attended: false });
  assert.equal(ran.code, 4);
  assert.match(ran.err, /nobody can be asked/);
});

test("progress is drawn for a terminal and removed before the answer, and is silent otherwise", async () => {
  const watched = await run(["count-slowly"], { tty: true });
  assert.match(watched.err, /\rcounting \[#{8}-{16}\] 33 %.*\rcounting \[#{24}\] 100 %/s);
  assert.match(watched.err, /\r +\r$/);
  assert.equal((await run(["count-slowly"])).err, "");
});

const PROGRAM = new URL("fixtures/cli-program.ts", import.meta.url);

async function program(argv: string[], meddle: (child: Child, said: string) => void) {
  await using child = startChild(PROGRAM, argv);
  meddle(child, "");
  child.process.stderr.on("data", (said: string) => meddle(child, said));
  const { code, signal, errors } = await child.ended;
  return { code, signal, errors };
}

test("who leaves at a question is told so on a line of its own", async () => {
  const ran = await run(["ratify-note", "n", "--form", "consent"], { stdin: "", tty: true });
  assert.match(ran.err, /\[y\/N\] \n[^\n]*stele:[^\n]* ratify_note was cancelled/);
});

test("a reader who leaves early is no fault", async () => {
  const ran = await program(["count-slowly", "--to", "3000000"], (child) => child.process.stdout.destroy());
  assert.deepEqual(ran, { code: 0, signal: null, errors: "hanging\nclosed\n" });
});

test("Ctrl-C abandons the verb, closes the world and exits with 130", async () => {
  const ran = await program(["count-slowly", "--hang"], (child, said) => {
    if (said === "hanging\n") child.kill("SIGINT");
  });
  assert.deepEqual(ran, { code: 130, signal: null, errors: "hanging\nclosed\n" });
});

test("what a terminal would obey is spelt out in JSON, which stays the same JSON", async () => {
  const { io, out } = streams({});
  await terminal(io, { json: true }).document({ content: "a\u009b31m b\u202e c\u2066 \u007f é中" });
  assert.equal(out(), '{"content":"a\\u009b31m b\\u202e c\\u2066 \\u007f é中"}\n');
  assert.deepEqual(JSON.parse(out()), { content: "a\u009b31m b\u202e c\u2066 \u007f é中" });
});
