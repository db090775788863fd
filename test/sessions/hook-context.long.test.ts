/**
 * The installed hook in real processes, as it answers: valid output in the host's shape or none at all, and exit 0
 * whatever the store is like.
 */
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { type OpenWorld, openWorld } from "../../src/app/compose.ts";
import { DIMENSIONS, IDENTITY } from "../../src/embed/minilm/identity.ts";
import { createMeetingPlace } from "../../src/embed/shared-model/meeting-place.ts";
import { becomeOwner, serveModel } from "../../src/embed/shared-model/owner.ts";
import { BLOCK_END, BLOCK_START } from "../../src/sessions/clean-text.ts";
import { lockFile } from "../../src/store/sqlite/file-lock.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import { keep } from "../test-world.ts";
import { type HookPlace, hookPlace, inParallel } from "./hook-package.ts";

const FACT = "Payment webhooks fail with a signature mismatch if express.json() has consumed the raw body";
const PROMPT = "why do payment webhooks fail with a signature mismatch";
const SILENT = { code: 0, signal: null, output: "", errors: "" };
/** Less than a store is waited for. */
const DEADLINES = { STELE_CONTEXT_START_MS: "2500", STELE_CONTEXT_PROMPT_MS: "2500" };
/** However busy the machine is. */
const PATIENT = { STELE_CONTEXT_START_MS: "60000", STELE_CONTEXT_PROMPT_MS: "60000" };

const opened = ({ home, project }: HookPlace): Promise<OpenWorld> => openWorld({ host: "cli", home, project });

async function filledPlace(): Promise<HookPlace> {
  const place = hookPlace();
  const { world, close } = await opened(place);
  await keep(world, FACT);
  await close();
  return place;
}

function storeOf({ home }: HookPlace): string {
  const [name] = readdirSync(join(home, "spaces")).filter((file) => file.endsWith(".db"));
  return join(home, "spaces", name!);
}

const start = (session_id: string, source = "startup") => ({ session_id, hook_event_name: "SessionStart", source });
const prompt = (session_id: string, text = PROMPT) => ({
  session_id,
  hook_event_name: "UserPromptSubmit",
  permission_mode: "default",
  prompt: text,
});
const run = async ({ run }: HookPlace, payload: unknown, env: Record<string, string> = {}) =>
  run([], payload, { env: { ...PATIENT, ...env } });
const contextIn = (output: string): { hookEventName: string; additionalContext: string } =>
  (JSON.parse(output) as { hookSpecificOutput: { hookEventName: string; additionalContext: string } })
    .hookSpecificOutput;

test("the start of a session is answered with the surface, a prompt with what is recalled for it, each once", async () => {
  const place = await filledPlace();
  const [first, again, recalled] = await inParallel(3, 1, (at) =>
    run(place, [start("a"), prompt("a"), prompt("b")][at]),
  );
  for (const [ended, event] of [
    [first, "SessionStart"],
    [recalled, "UserPromptSubmit"],
  ] as const) {
    // prettier-ignore
    assert.deepEqual({ ...ended, output: "" }, SILENT);
    const { hookEventName, additionalContext } = contextIn(ended!.output);
    assert.equal(hookEventName, event);
    assert.ok(additionalContext.startsWith(BLOCK_START) && additionalContext.endsWith(BLOCK_END), additionalContext);
    assert.ok(additionalContext.includes(FACT));
  }
  assert.deepEqual(again, SILENT, "the surface had it");
  assert.equal((await place.spooled()).length, 3, "everything is captured all the same");
  const compiled = readdirSync(join(place.home, "compiled"));
  assert.ok(compiled.length > 0, "what was compiled is kept for the next session");
});

test("hosts that cannot take it, subagents, settings and a guard against recursion: silence", async () => {
  const place = await filledPlace();
  const cursor = { conversation_id: "c", cursor_version: "2", workspace_roots: [place.project] };
  const cases: [unknown, Record<string, string>, isSpooled: boolean][] = [
    [{ ...cursor, hook_event_name: "beforeSubmitPrompt", prompt: PROMPT }, {}, true],
    [{ ...prompt("sub"), agent_id: "x" }, {}, false],
    [prompt("wakes itself"), { STELE_HOOK: "off" }, false],
    [prompt("only starts"), { STELE_CONTEXT_INJECTION: "start" }, true],
    [start("never"), { STELE_CONTEXT_INJECTION: "off" }, true],
    [prompt("says nothing", "ok, go on"), {}, true],
  ];
  const ended = await inParallel(cases.length, 3, (at) => run(place, cases[at]![0], cases[at]![1]));
  assert.deepEqual(ended, cases.map(() => SILENT)); // prettier-ignore
  assert.equal((await place.spooled()).length, cases.filter(([, , isSpooled]) => isSpooled).length);
  assert.ok(!existsSync(join(place.home, "hook.log")));
});

test("without a memory, and with one that cannot be used: silence, and a line in the log", async () => {
  const [none, corrupt, newer, locked] = [hookPlace(), await filledPlace(), await filledPlace(), await filledPlace()];
  const temporary = join(none.home, "..", "temporary");
  mkdirSync(temporary);
  utimesSync(temporary, 1, 1);
  writeFileSync(storeOf(corrupt), "This is no database. ".repeat(1_000));
  const store = await opened(newer);
  await store.close();
  const bytes = readFileSync(storeOf(newer));
  // The number of the schema, in the header of the file.
  bytes.writeUInt32BE(9_999, 60);
  writeFileSync(storeOf(newer), bytes);
  const close = (path: string): void => chmodSync(path, statSync(path).isDirectory() ? 0o500 : 0o400);
  const all = readdirSync(locked.home, { recursive: true, encoding: "utf8" }).map((name) => join(locked.home, name));
  for (const path of [...all, locked.home]) close(path);
  try {
    const bad = [corrupt, newer, locked].flatMap((place) => [[place, start("s")], [place, prompt("s")]] as [HookPlace, unknown][]); // prettier-ignore
    const cases: [HookPlace, unknown][] = [[none, start("s")], ...bad];
    const ended = await inParallel(cases.length, 4, (at) => run(...cases[at]!, { TMPDIR: temporary }));
    assert.deepEqual(ended, cases.map(() => SILENT)); // prettier-ignore
  } finally {
    for (const path of [locked.home, ...all]) chmodSync(path, 0o700);
  }
  const begun = readdirSync(none.home).filter((name) => name !== "compiled");
  assert.deepEqual(begun, ["spool"], "a hook begins no memory");
  assert.equal(statSync(temporary).mtimeMs, 1_000, "a hook has no time to copy a store that it cannot write");
  for (const place of [corrupt, newer]) {
    assert.match(readFileSync(join(place.home, "hook.log"), "utf8"), /A hook failed: /);
    assert.equal((await place.spooled()).length, 2, "what was reported is not lost");
  }
});

test("the next session begins with what the last one left in the spool, though nobody digested it", async () => {
  const place = hookPlace();
  const report = (event: string, more: object = {}) => ({ session_id: "first", hook_event_name: event, ...more });
  const reports = [
    report("UserPromptSubmit", { prompt: "Payment webhooks fail since the upgrade. Find out why." }),
    report("Stop", { last_assistant_message: `The root cause: ${FACT}.` }),
    report("SessionEnd", { reason: "other" }),
  ];
  const named = (payload: unknown) => place.run(["--host", "kimi"], payload, { env: PATIENT });
  const ended = await inParallel(reports.length, 1, (at) => named(reports[at]));
  assert.deepEqual(ended, reports.map(() => SILENT)); // prettier-ignore
  const { output, ...rest } = await named(start("second"));
  assert.deepEqual({ ...rest, output: "" }, SILENT);
  assert.ok(output.startsWith(BLOCK_START) && output.includes(FACT), output);
});

test("a session in a worktree gets the surface of its branch", async () => {
  const place = await filledPlace();
  const [git, worktree] = [join(place.project, ".git"), join(place.project, "..", "worktree")];
  const own = join(git, "worktrees", "topic");
  for (const folder of [own, worktree, join(git, "objects"), join(git, "refs")]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(git, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(own, "HEAD"), "ref: refs/heads/topic\n");
  writeFileSync(join(own, "commondir"), "../..\n");
  writeFileSync(join(own, "gitdir"), `${join(worktree, ".git")}\n`);
  writeFileSync(join(worktree, ".git"), `gitdir: ${own}\n`);
  const { output } = await run(place, { ...start("w"), cwd: worktree }, { CLAUDE_PROJECT_DIR: place.project });
  assert.ok(output.includes(FACT), output);
  const { world, close } = await opened(place);
  assert.deepEqual((await world.project.surfaceRuns(9)).map(({ branch }) => branch), ["topic"]); // prettier-ignore
  await close();
});

test("a store that another process writes or holds: silence, by the deadline", async () => {
  const place = await filledPlace();
  const path = storeOf(place);
  const holder = openSqlite(path, { timeout: 1_000 });
  const all = (session: string, env = {}) =>
    inParallel(2, 1, (at) => run(place, [start(session), prompt(session)][at], env));
  try {
    // Others may read it.
    holder.exec("begin exclusive");
    assert.deepEqual(await all("s"), [SILENT, SILENT]);
    assert.match(readFileSync(join(place.home, "hook.log"), "utf8"), /^(?:.* A hook failed: unavailable\.\n)+$/);
    holder.exec("rollback");
    rmSync(join(place.home, "hook.log"));
    // Nobody may. A store is waited for longer than a hook may take.
    holder.pragma("journal_mode = delete");
    holder.pragma("locking_mode = exclusive");
    holder.exec("begin exclusive");
    assert.deepEqual(await all("t", DEADLINES), [SILENT, SILENT]);
    assert.match(readFileSync(join(place.home, "hook.log"), "utf8"), /^(?:.* No answer within 2500 ms\.\n){2}$/);
  } finally {
    holder.close();
  }
  assert.equal((await place.spooled()).length, 4, "what was reported is not lost");
  assert.ok((await run(place, start("u"))).output.includes(FACT), "once it is free, it answers again");
});

test("what cannot be taken in does not keep a session from what is known", async () => {
  const place = await filledPlace();
  const other = { session_id: "first", hook_event_name: "SessionEnd", reason: "other" };
  assert.deepEqual(await place.run([], other, { env: PATIENT }), SILENT);
  const db = openSqlite(storeOf(place));
  db.exec("create trigger refuse before insert on lease begin select raise(abort, 'no'); end");
  db.close();
  const { output } = await run(place, start("s"));
  assert.ok(output.includes(FACT), output);
  assert.match(readFileSync(join(place.home, "hook.log"), "utf8"), /Earlier sessions were not taken in: /);
});

test("after its deadline it is silent, and what it reported is there", async () => {
  const place = await filledPlace();
  const env = { STELE_CONTEXT_START_MS: "1", STELE_CONTEXT_PROMPT_MS: "1" };
  assert.deepEqual(await run(place, start("s"), env), SILENT);
  assert.deepEqual(await run(place, prompt("s"), env), SILENT);
  assert.match(readFileSync(join(place.home, "hook.log"), "utf8"), /^(?:.* No answer within 1 ms\.\n){2}$/);
  assert.equal((await place.spooled()).length, 2);
});

const MOST_TRIES = 20;

test("an owner that does not answer costs a prompt the model, not the memory", async () => {
  const place = await filledPlace();
  const asked: (readonly string[])[] = [];
  const hanging = {
    identity: IDENTITY,
    dimensions: DIMENSIONS,
    state: () => "ready" as const,
    load: async () => undefined,
    close: async () => undefined,
    embed: (texts: readonly string[]) => (asked.push(texts), new Promise<never>(() => undefined)),
  };
  const meeting = createMeetingPlace({ home: place.home, runtimeFolder: join(place.home, "runtime") });
  const ownership = await becomeOwner((offer) => serveModel(hanging, offer), { place: meeting, lock: lockFile });
  assert.ok(ownership !== null && ownership !== "taken");
  try {
    const env = { STELE_CONTEXT_PROMPT_MS: "4000", STELE_RECALL_MODEL_WAIT_MS: "60000" };
    // On a busy machine a hook may give up before the owner has greeted it, and then asks nothing.
    for (let tries = 0; asked.length === 0; tries += 1) {
      assert.ok(tries < MOST_TRIES, "the owner was never asked");
      const { output, code } = await run(place, prompt(`s${tries}`), env);
      assert.equal(code, 0);
      assert.ok(contextIn(output).additionalContext.includes(FACT));
    }
    assert.equal(asked.length, 1);
  } finally {
    await ownership.withdraw();
    ownership.release();
  }
});
