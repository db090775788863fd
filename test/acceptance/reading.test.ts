/** Reading creates nothing: through no door does a question begin a data folder, a store or a known project. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, sep } from "node:path";
import { after, test } from "node:test";
import { openWorld } from "../../src/app/compose.ts";
import { catalog, DEFAULT_TOOLS, RESOURCES } from "../../src/catalog/catalog.ts";
import type { Purpose } from "../../src/catalog/dispatch.ts";
import { loadAll } from "../../src/catalog/operation.ts";
import { runCli } from "../../src/cli/run.ts";
import { repositoryKey } from "../../src/files/git/git.ts";
import { isKeptCurrent, startWatching } from "../../src/files/watch-project.ts";
import { createChanges } from "../../src/http/changes.ts";
import { createProjects } from "../../src/http/projects.ts";
import { callVerb } from "../../src/http/requests.ts";
import { open } from "../../src/index.ts";
import { systemClock } from "../../src/machine/clock.ts";
import { spoolFolder } from "../../src/sessions/inbox-writer.ts";
import type { World } from "../../src/world.ts";
import { startChild } from "../child.ts";
import { streams } from "../hosts/fixtures/streams.ts";
import { connect, environment, ownServer, STELE, transportTo } from "../mcp.ts";
import { until } from "../until.ts";

const top = mkdtempSync(join(tmpdir(), "stele-reading-"));
after(() => rmSync(top, { recursive: true, force: true }));

const settings = { embedder: { provider: "hash" } } as const;

interface Place {
  home: string;
  project: string;
  /** Everything in the data folder and the project, but the code that Node keeps compiled. */
  found(): string[];
}

function place(name: string): Place {
  const [home, project] = [join(top, name, "home"), join(top, name, "project")];
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "walrus.ts"), "export function walrus() { return 1; }\n");
  const all = () => readdirSync(join(top, name), { recursive: true, withFileTypes: true });
  const found = () =>
    all()
      .map((entry) => relative(join(top, name), join(entry.parentPath, entry.name)))
      .filter((path) => !path.startsWith(["home", "compiled"].join(sep)))
      .sort();
  return { home, project, found };
}

const NOTHING = ["project", ["project", "walrus.ts"].join(sep)];

/** What each verb that reads needs to be told. */
const INPUTS: Record<string, Record<string, unknown>> = {
  recall: { query: "walrus" },
  search_code: { query: "walrus" },
  search_docs: { query: "walrus" },
  why: { question: "why a walrus" },
  check: { path: "walrus.ts" },
  related: { target: "walrus.ts" },
  traverse: { id: "nowhere" },
  evidence: { id: "nowhere" },
  get: { id: "nowhere" },
  time: { expression: "next monday" },
  forget: { target: "abcd1234" },
  merge: { first: "abcd1234", second: "abcd1235" },
  ratify: { id: "abcd1234" },
  reject: { id: "abcd1234", reason: "no" },
  judge: { note: "abcd1234", as: "wrong" },
  settle: { one: "abcd1234", other: "abcd1235", as: "both" },
  unlink: { source: "abcd1234", target: "abcd1235" },
  rollback: { call: "abcd1234" },
  update: { id: "abcd1234", content: "a walrus" },
};
/** And those that write only about what is kept. */
const readers = (await loadAll(catalog)).filter(({ effect, begins }) => effect === "read" || begins !== undefined);

/** What is not there is a good answer too. */
const unlessMissing = (thrown: { code?: string }) =>
  assert.ok(["not_found", "refused"].includes(thrown.code!), String(thrown));

test("no verb that reads creates anything in the library, and the first that writes begins the memory", async () => {
  const { home, project, found } = place("library");
  const stele = await open({ home, project, settings });
  for (const { name } of readers) await stele[name as "list"](INPUTS[name] ?? {}).catch(unlessMissing);
  await stele.dryRun("remember", { content: "Walruses dive" });
  await assert.rejects(stele.log({} as never), { code: "invalid_input" });
  const { hits } = await stele.search_code({ query: "walrus" });
  assert.equal(hits.length, 1, "the files of a project that nobody has begun are found all the same");
  assert.deepEqual(found(), NOTHING);
  await stele.remember({ content: "Walruses dive" });
  assert.equal((await stele.list({})).total, 1);
  await stele.close();
  const again = await open({ home, project, settings });
  assert.equal((await again.list({})).total, 1);
  await again.close();
});

test("commands that read, and dry runs, create nothing", async () => {
  const { home, project, found } = place("command line");
  const run = async (...argv: string[]) => {
    const { io, out } = streams();
    const openHere = (options: Purpose) => openWorld({ host: "cli", home, project, settings, ...options });
    const code = await runCli([...argv, "--json"], { catalog, io, attended: false, open: openHere });
    assert.equal(code, 0, argv.join(" "));
    return JSON.parse(out()) as { total: number };
  };
  for (const argv of [
    ["list"],
    ["recall", "walrus"],
    ["status"],
    ["inspect"],
    ["remember", "a walrus", "--dry-run"],
    ["backup", "--dry-run"],
    ["surface"],
    ["restore"],
    ["resume"],
  ])
    await run(...argv);
  assert.deepEqual(found(), NOTHING);
  await run("remember", "Walruses dive");
  assert.equal((await run("list")).total, 1);
});

test("the processes that only look create nothing", async () => {
  const { home, project, found } = place("processes");
  // A question loads the model, which is not kept either.
  const env = environment(home, { STELE_CAPTURE: "off", STELE_EMBEDDER: "minilm" });
  const prompt = { session_id: "a", hook_event_name: "UserPromptSubmit", prompt: "why does the walrus dive" };
  const commands: [argv: string[], input?: object][] = [
    [["doctor"]],
    [["recall", "walrus"]],
    [["serve", "--status"]],
    [["serve", "--stop"]],
    [["completion", "words", "--", "get", ""]],
    [["hook", "digest"]],
    [["hook"], { session_id: "a", hook_event_name: "SessionStart", source: "startup" }],
    [["hook"], prompt],
  ];
  for (const [argv, input] of commands) {
    const said = input === undefined ? "" : JSON.stringify({ cwd: project, ...input });
    await using child = startChild(null, [STELE, ...argv], { cwd: project, env, input: said });
    await child.ended;
    assert.deepEqual(found(), NOTHING, argv.join(" "));
  }
});

test("an MCP server begins the memory with the first tool that writes", async () => {
  const { home, project, found } = place("mcp");
  let idle = 0;
  const server = ownServer({
    catalog,
    tools: "full",
    defaultTools: DEFAULT_TOOLS,
    resources: RESOURCES,
    version: "1",
    idle: () => ({ stop: () => void (idle += 1) }),
    open: (purpose) => openWorld({ host: "mcp", home, project, settings, serves: true, ...purpose }),
  });
  const client = await connect(transportTo(server));
  const call = (name: string, given: object) => client.callTool({ name, arguments: { ...given } });
  for (const name of ["context", "list", "recall", "orient", "surface", "forget"]) await call(name, INPUTS[name] ?? {});
  await client.readResource({ uri: "stele://surface" });
  assert.deepEqual(found(), NOTHING);
  await call("remember", { content: "Walruses dive" });
  assert.match(JSON.stringify(await call("list", {})), /Walruses dive/);
  await client.close();
  assert.equal(idle, 1, "upkeep has its turn only where there is a memory");
});

test("a server that was oriented before the memory began looks at the files as soon as it has", async () => {
  const { home, project } = place("first look");
  mkdirSync(join(project, ".git"));
  writeFileSync(join(project, ".git", "HEAD"), "ref: refs/heads/main\n");
  const begun = Promise.withResolvers<World>();
  const server = ownServer({
    catalog,
    tools: "full",
    defaultTools: DEFAULT_TOOLS,
    version: "1",
    idle(world) {
      begun.resolve(world);
      return startWatching(world);
    },
    open: (purpose) => openWorld({ host: "mcp", home, project, settings, serves: true, ...purpose }),
  });
  const client = await connect(transportTo(server));
  const call = (name: string, given: object) => client.callTool({ name, arguments: { ...given } });
  await call("orient", {});
  await call("remember", { content: "Walruses dive" });
  const world = await begun.promise;
  await until(() => isKeptCurrent(undefined, world));
  await client.close();
  const stele = await open({ home, project, settings });
  writeFileSync(join(project, "walrus.ts"), "export function walrus() { return 2 + 2; }\n");
  const { files, degraded } = await stele.orient({});
  await stele.close();
  assert.deepEqual([files.map(({ path, change }) => `${path} ${change}`), degraded], [["walrus.ts changed"], null]);
});

test("what the page shows of a folder that it has not seen begins nothing, and shows what another process begins", async () => {
  const { home, project, found } = place("page");
  const projects = createProjects({
    clock: systemClock,
    open: (folder, purpose) => openWorld({ host: "http", home, project: folder, settings, serves: true, ...purpose }),
  });
  const changes = createChanges(projects, systemClock);
  await changes.listen(project);
  const list = await catalog.load("list");
  const total = async () => {
    const request = { project, input: {}, dryRun: false, progress: false, answer: null };
    const outcome = await callVerb(list as never, request, { bearer: "person", session: undefined, url: "" }, projects);
    return outcome.kind === "answer" ? outcome.dispatched.answer["total"] : outcome;
  };
  assert.equal(await total(), 0);
  assert.deepEqual(found(), NOTHING);
  const other = await open({ home, project, settings });
  await other.remember({ content: "Walruses dive" });
  await other.close();
  assert.equal(await total(), 1);
  changes.close();
  await projects.close(Promise.resolve());
});

test("in a data folder with other projects, a folder that is only asked about is not registered", async () => {
  const { home, project, found } = place("others");
  const first = await open({ home, project, settings });
  await first.remember({ content: "Walruses dive" });
  await first.remember({ content: "I prefer tabs", type: "preference" });
  await first.close();
  const unseen = join(top, "others", "unseen");
  mkdirSync(unseen);
  const before = found();
  const second = await open({ home, project: unseen, settings });
  assert.equal((await second.list({})).total, 1, "what holds in all projects is read");
  await second.close();
  assert.deepEqual(found(), before);
  const { world, close } = await openWorld({ host: "cli", home, project, settings });
  assert.deepEqual(
    (await world.global.spaces()).map(({ root }) => root),
    [project],
  );
  await close();
});

test("what hooks have left begins the memory, so that it is never taken in and lost", async () => {
  const { home, project } = place("spool");
  const reader = await open({ home, project, settings });
  await reader.list({});
  const folder = spoolFolder(home, repositoryKey(project));
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, `${"0".repeat(32)}.json`), "{}", { mode: 0o600 });
  await reader.list({});
  const { world, isBlank, close } = await openWorld({ host: "cli", home, project, settings, reads: true });
  assert.equal(isBlank, false);
  assert.equal((await world.global.spaces()).length, 1);
  await close();
  await reader.close();
});
