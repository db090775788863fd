/** The installed hook in real processes: it spools what it should, prints nothing, and ends well whatever it is given. */
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createSpool } from "../../src/sessions/inbox.ts";
import { type Child, type Ended, runChild, startChild } from "../child.ts";
import { inLane } from "../lane.ts";
import { HOOK, type HookPlace, hookPlace, inParallel } from "./hook-package.ts";
import { CASES } from "./payloads.ts";

const SILENT = { code: 0, signal: null, output: "", errors: "" };
const prompt = (number: number | string) => ({
  session_id: "s",
  prompt_id: `p${number}`,
  hook_event_name: "UserPromptSubmit",
  permission_mode: "default",
  prompt: `Prompt number ${number}`,
});

test("many at once: every report is there, and each once", async () => {
  const [count, atOnce] = inLane({ fast: [16, 8], long: [96, 32], soak: [1_000, 32] });
  const place = hookPlace();
  const ended = await inParallel(count, atOnce, (index) => place.run([], prompt(Math.floor(index / 2))));
  assert.deepEqual(ended, Array<Ended>(count).fill(SILENT));
  const turns = (await place.spooled()).map(({ turn }) => turn!);
  assert.deepEqual(turns.sort(), Array.from({ length: count / 2 }, (_, number) => `p${number}`).sort());
  assert.ok(
    readdirSync(place.spool).every((name) => name.endsWith(".json")),
    "no draft is left",
  );
  const modes = [place.spool, join(place.spool, readdirSync(place.spool)[0]!)].map(
    (path) => statSync(path).mode & 0o777,
  );
  assert.deepEqual(modes, [0o700, 0o600]);
});

test("the data folder that a host names comes before that of its surroundings", async () => {
  const [place, other] = [hookPlace(), hookPlace()];
  const env = { STELE_HOME: other.home };
  for (const words of [
    ["--home", place.home],
    ["--host", "codex", `--home=${place.home}`],
  ])
    assert.deepEqual(await place.run(words, prompt(words.length), { env }), SILENT);
  assert.equal((await place.spooled()).length, 2);
  assert.deepEqual(readdirSync(other.home), []);
  assert.equal((await place.run(["--home", "relative"], prompt(9), { env })).code, 0);
});

test("garbage, nothing and far too much: no report, no output, no failure", async () => {
  const place = hookPlace();
  const inputs = ["", "{", "[]", "null", "\0\xff", "x".repeat(10_000_000)];
  const events = [
    "SessionStart",
    "beforeSubmitPrompt",
    "post-tool-use",
    "Stop",
    "PreCompress",
    "SessionEnd",
    "Nonsense",
  ];
  const calls = events.flatMap((event) => inputs.map((input) => [event, input] as const));
  const ended = await inParallel(calls.length, 8, (at) => place.run([calls[at]![0]], calls[at]![1]));
  assert.deepEqual(ended, Array<Ended>(calls.length).fill(SILENT));
  assert.deepEqual(await place.spooled(), []);
  assert.doesNotMatch(readFileSync(join(place.home, "hook.log"), "utf8"), /xxx|\[\]/);
});

test("a large report is cut, and a secret in it never reaches the disk", async () => {
  const place = hookPlace();
  const canary = ["ghp", `${"k7Qw2Zp9".repeat(4)}Xy4T`].join("_");
  const tool = { tool_name: "Bash", tool_input: { command: `curl -H "Authorization: Bearer ${canary}" x` } };
  const tool_response = `${canary}\n${"noise ".repeat(1_700_000)}\n${canary} <private>platypus</private>`;
  const payload = { session_id: "s", hook_event_name: "PostToolUse", tool_use_id: "t", ...tool, tool_response };
  assert.deepEqual(await place.run([], payload), SILENT);
  const [report] = await place.spooled();
  assert.equal(report!.event, "tool");
  const files = readdirSync(place.home, { recursive: true, encoding: "utf8" }).map((name) => join(place.home, name));
  const text = files.map((path) => (statSync(path).isFile() ? readFileSync(path, "utf8") : "")).join("\n");
  assert.doesNotMatch(text, /k7Qw2Zp9|platypus/);
});

test("a host that does not close its end is not waited for", async () => {
  const place = hookPlace();
  const env = { STELE_HOME: place.home };
  await using mute = startChild(HOOK, ["hook", "Stop"], { cwd: place.project, env, input: null });
  await using half = startChild(HOOK, ["hook", "Stop"], { cwd: place.project, env, input: null });
  await using whole = startChild(HOOK, ["hook"], { cwd: place.project, env, input: null });
  half.process.stdin.write('{"session_id": ');
  whole.process.stdin.write(JSON.stringify(prompt(1)));
  assert.deepEqual(await Promise.all([mute.ended, half.ended, whole.ended]), [SILENT, SILENT, SILENT]);
  assert.equal((await place.spooled()).length, 1);
});

test("a host that never stops writing is left, whether it writes much or little", async () => {
  const place = hookPlace();
  const env = { STELE_HOME: place.home };
  const started = () => startChild(HOOK, ["hook", "prompt"], { cwd: place.project, env, input: null });
  const keepWriting = (child: Child, part: string, pauseMs?: number): void =>
    void child.process.stdin.write(part, (fault) => {
      if (fault) return;
      if (pauseMs === undefined) keepWriting(child, part);
      else setTimeout(keepWriting, pauseMs, child, part, pauseMs);
    });
  await using much = started();
  await using little = started();
  await using braces = started();
  keepWriting(much, "y\n".repeat(30_000));
  keepWriting(little, " ", 1);
  braces.process.stdin.write(`{"prompt": ${'{"a":'.repeat(4_000)}1`);
  keepWriting(braces, "}");
  assert.deepEqual(await Promise.all([much.ended, little.ended, braces.ended]), [SILENT, SILENT, SILENT]);
  assert.deepEqual(await place.spooled(), []);
});

test("a long document that comes in parts is read whole, also if its end stays open", async () => {
  const place = hookPlace();
  const env = { STELE_HOME: place.home };
  const payload = JSON.stringify({ ...prompt(1), more: Array.from({ length: 30_000 }, () => ({})) });
  await using child = startChild(HOOK, ["hook"], { cwd: place.project, env, input: null });
  const parts = payload.match(/[^]{1,5000}/g)!;
  const write = ([part, ...rest]: readonly string[]): void =>
    void (part !== undefined && child.process.stdin.write(part, () => setImmediate(write, rest)));
  write(parts);
  assert.deepEqual(await child.ended, SILENT);
  assert.equal((await place.spooled()).length, 1);
});

test("a host that closes its end before it is read", async () => {
  const place = hookPlace();
  await using child = startChild(HOOK, ["hook", "Stop"], { env: { STELE_HOME: place.home }, input: null });
  child.process.stdin.destroy();
  child.process.stdout.destroy();
  assert.equal((await child.ended).code, 0);
});

test("the host's project chooses the spool, whatever folder the host has moved to", async () => {
  const [place, other] = [hookPlace(), hookPlace()];
  const payload = { ...prompt(1), cwd: other.project };
  assert.deepEqual(await place.run([], payload, { env: { CLAUDE_PROJECT_DIR: place.project } }), SILENT);
  assert.deepEqual(
    (await place.spooled()).map(({ cwd }) => cwd),
    [other.project],
  );
  assert.deepEqual(await place.run([], payload, { env: { CLAUDE_PROJECT_DIR: join(place.project, "gone") } }), SILENT);
  assert.equal(readdirSync(join(place.home, "spool")).length, 2);
});

test("a report tells the branch and the newest commit of the folder that the host works in", async () => {
  const place = hookPlace();
  writeFileSync(join(place.project, ".git", "HEAD"), "ref: refs/heads/topic\n");
  writeFileSync(join(place.project, ".git", "packed-refs"), `${"ab".repeat(20)} refs/heads/topic\n`);
  assert.deepEqual(await place.run([], prompt(1)), SILENT);
  assert.deepEqual(
    (await place.spooled()).map(({ branch, commit }) => [branch, commit]),
    [["topic", "ab".repeat(20)]],
  );
});

test("digesting prints nothing and never fails, and does nothing where recording is off", async () => {
  const program = new URL("../../bin/stele.js", import.meta.url);
  const digest = (place: HookPlace, env: Record<string, string>) =>
    runChild(program, ["hook", "digest"], {
      cwd: place.project,
      env: { PATH: process.env["PATH"], STELE_HOME: place.home, ...env },
    });
  const places = [hookPlace(), hookPlace(), hookPlace()] as const;
  const ended = [
    await digest(places[0], { STELE_HOME: "relative" }),
    await digest(places[1], { STELE_HOOK: "off" }),
    await digest(places[2], { STELE_CAPTURE: "off" }),
  ];
  assert.deepEqual(ended, [SILENT, SILENT, SILENT]);
  const stores = places.flatMap(({ home }) => readdirSync(home).filter((name) => name !== "compiled"));
  assert.deepEqual(stores, [], "no store is opened");
});

test("nothing is spooled while paused or switched off", async () => {
  const place = hookPlace();
  const spool = createSpool(() => place.spool);
  await spool.pause(1);
  assert.deepEqual(await place.run([], prompt(1)), SILENT);
  await spool.resume(1);
  assert.deepEqual(await place.run([], prompt(2), { env: { STELE_CAPTURE: "off" } }), SILENT);
  assert.deepEqual(await place.spooled(), []);
});

test("a spool that leads elsewhere, or a data folder that cannot be written, is left alone", async () => {
  const [linked, shared, locked] = [hookPlace(), hookPlace(), hookPlace()];
  const elsewhere = join(linked.project, "elsewhere");
  mkdirSync(elsewhere, { mode: 0o700 });
  symlinkSync(elsewhere, join(linked.home, "spool"));
  mkdirSync(join(shared.home, "spool"), { mode: 0o700 });
  chmodSync(join(shared.home, "spool"), 0o777);
  chmodSync(locked.home, 0o500);
  const ended = await Promise.all([linked, shared, locked].map((place) => place.run([], prompt(1))));
  chmodSync(locked.home, 0o700);
  assert.deepEqual(ended, [SILENT, SILENT, SILENT]);
  assert.deepEqual([readdirSync(elsewhere), readdirSync(join(shared.home, "spool"))], [[], []]);
  assert.match(readFileSync(join(linked.home, "hook.log"), "utf8"), /spool is not a folder\.\n$/);
  assert.match(readFileSync(join(shared.home, "hook.log"), "utf8"), /spool is not private to you\.\n$/);
  assert.equal(statSync(join(shared.home, "hook.log")).mode & 0o777, 0o600);
  assert.ok(!existsSync(join(locked.home, "hook.log")));
});

test("the words of the command line and the host's folder are used", async () => {
  for (const { what, argv = [], payload, spooled } of CASES) {
    const place = hookPlace();
    mkdirSync(join(place.project, "sub"));
    const cwd = join(place.project, "sub");
    const own = payload["workspace_roots"] ? { workspace_roots: [cwd] } : { cwd };
    assert.deepEqual(await place.run(argv, { ...payload, ...own }, { cwd: place.home }), SILENT);
    const [report = null] = await place.spooled();
    if (report === null || spooled === null) assert.equal(report, spooled, what);
    else assert.deepEqual({ ...report, ...spooled, cwd }, report, what);
  }
});
