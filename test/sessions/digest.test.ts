import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { authorOf, isByAgent } from "../../src/memory/authorship.ts";
import { digest } from "../../src/sessions/digest.ts";
import { extract } from "../../src/sessions/extract.ts";
import type { Spooled } from "../../src/sessions/session.ts";
import extractVerb from "../../src/sessions/verbs/extract.ts";
import { type TestWorld, testWorld } from "../test-world.ts";
import { CAUSE, sayingModel } from "./saying-model.ts";
import { claudeLines, FIXED_LOGIN, writeTranscript } from "./transcript.ts";

let count = 0;
const START = Date.UTC(2026, 0, 15, 9);

function report(event: Spooled["event"], fields: Partial<Spooled> = {}): Spooled {
  count += 1;
  return {
    id: String(count).padStart(32, "0"),
    event,
    host: "gemini",
    session: "g1",
    turn: null,
    at: START + count * 1_000,
    cwd: "/project",
    transcript: null,
    tool: null,
    command: null,
    path: null,
    text: null,
    ...fields,
  };
}

function put(world: TestWorld, ...reports: readonly Spooled[]): void {
  const folder = join(world.folder, "spool", "0123456789abcdef0123456789abcdef");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const one of reports) writeFileSync(join(folder, `${one.id}.json`), JSON.stringify(one), { mode: 0o600 });
}

/** The same session as the hooks of a host report it that writes no transcript. */
const fixedLogin = (): Spooled[] => [
  report("session_start", { text: "startup" }),
  ...FIXED_LOGIN.flatMap(({ prompt, reply, command, result = "", isError }) => {
    if (prompt !== undefined) return [report("prompt", { text: prompt })];
    if (reply !== undefined) return [report("turn_end", { text: reply })];
    const ran = { tool: "shell", command: command ?? null, text: result };
    return [report(isError ? "failure" : "tool", ran)];
  }),
];

const countOf = async (world: TestWorld, shelf: "memory" | "evidence"): Promise<number> =>
  (await world.project.newestIds(shelf, 1_000)).length;

/** What a session leaves, without ids. */
async function keptIn({ project }: TestWorld, session = "g1") {
  const items = await project.items("evidence", await project.evidenceOf(session));
  return {
    evidence: items.map(({ content, details }) => [content, details["turn"]]).sort(),
    cards: await project.sessionCards({ sessions: [session], limit: 1 }),
  };
}

describe("reports of hooks", () => {
  test("without a transcript are taken in as a session, and leave the spool", async () => {
    const world = await testWorld();
    const reports = fixedLogin();
    put(world, ...reports);
    const done = (await digest(world))!;
    assert.equal(done.reports, reports.length);
    assert.equal((await world.spool.list(10)).length, 0);
    assert.equal(await world.project.eventCount({ session: "g1" }), reports.length);
    world.clock.time += 3_600_000;
    await digest(world);
    const items = await world.project.items("evidence", await world.project.evidenceOf("g1"));
    assert.equal(items.length, 2);
    assert.ok(items.every(({ host, session }) => host === "gemini" && session === "g1"));
    const [known] = await world.project.sessionCards({ sessions: ["g1"], limit: 1 });
    assert.deepEqual([known?.card.host, known?.card.asked], ["gemini", FIXED_LOGIN[0]!.prompt]);
    assert.deepEqual(known?.card.commits, ["Inject the clock into sessions"]);
  });

  test("tell what was checked out, and what the session taught names the newest commit of then", async () => {
    const world = await testWorld({ branch: "later", llm: sayingModel(CAUSE) });
    const [first, second] = ["a".repeat(40), "b".repeat(40)];
    const reports = fixedLogin().map((one, index, { length }) => ({ ...one, branch: "main", commit: index < length - 2 ? first : second })); // prettier-ignore
    put(world, ...reports, report("session_end", { branch: "main", commit: second }));
    const place = { ...world.place, commit: () => "c".repeat(40) };
    const { memories } = (await digest({ ...world, place }))!;
    const contexts = (await world.project.items("memory", memories)).map(({ context }) => context);
    assert.ok(contexts.length > 0);
    assert.ok(contexts.every(({ branch, commits }) => branch === "main" && [first, second].includes(commits.join())));
    const [last] = await world.project.events({ session: "g1", limit: 1 });
    assert.deepEqual([last?.payload["branch"], last?.payload["commit"]], ["main", second]);
  });

  test("of an earlier version tell nothing of it", async () => {
    const world = await testWorld();
    put(world, report("prompt", { text: "why" }));
    assert.equal((await digest(world))!.reports, 1);
    const [event] = await world.project.events({ session: "g1", limit: 1 });
    assert.deepEqual([event?.payload["branch"], event?.payload["commit"]], [null, null]);
  });

  test("are the session's own words, whoever takes them in", async () => {
    const world = await testWorld();
    put(world, ...fixedLogin());
    world.clock.time = START + 86_400_000;
    await digest({ ...world, origin: { ...world.origin, byAgent: true } });
    const items = await world.project.items("evidence", await world.project.evidenceOf("g1"));
    assert.ok(items.length > 0 && items.every((item) => item.source === "extraction" && !isByAgent(authorOf(item))));
  });

  test("that come again, or twice, change nothing", async () => {
    const world = await testWorld();
    const reports = fixedLogin();
    put(world, ...reports);
    await digest(world);
    const before = await keptIn(world);
    assert.ok(before.evidence.length > 0);
    put(world, ...reports);
    assert.equal((await digest(world))!.reports, 0);
    assert.deepEqual(await keptIn(world), before);
    assert.equal((await world.spool.list(10)).length, 0);
  });

  test("give the same however they are divided", async () => {
    const [whole, parts] = [await testWorld(), await testWorld()];
    const reports = [...fixedLogin(), report("session_end", { text: "exit" })];
    for (const { clock } of [whole, parts]) clock.time = START + 3_600_000;
    put(whole, ...reports);
    await digest(whole);
    for (const one of reports) {
      put(parts, one);
      await digest(parts);
    }
    assert.equal((await keptIn(whole)).evidence.length, 2);
    assert.deepEqual(await keptIn(parts), await keptIn(whole));
  });

  test("that name a transcript have it read instead", async () => {
    const world = await testWorld();
    const transcript = join(world.folder, "s1.jsonl");
    writeTranscript(transcript, claudeLines(FIXED_LOGIN));
    const named = { host: "claude-code", session: "s1", transcript } as const;
    put(world, report("prompt", { ...named, text: "why" }), report("session_end", named));
    const done = (await digest(world))!;
    assert.equal(done.reports, 2);
    assert.equal(done.evidence, 2, "the turns of the transcript, not the reports");
    assert.equal(await world.project.eventCount({ session: "s1" }), 2);
    assert.equal((await keptIn(world, "s1")).cards.length, 1);
  });

  test("whose transcript is gone are taken in themselves", async () => {
    const world = await testWorld();
    const named = { host: "codex", session: "c1", transcript: join(world.folder, "gone.jsonl") } as const;
    put(world, report("prompt", { ...named, text: "why" }), report("session_end", named));
    world.clock.time = START + count * 1_000;
    assert.equal((await digest(world))!.reports, 0, "its host may still write it");
    world.clock.time += 61_000;
    assert.equal((await digest(world))!.evidence, 1);
    // From now on the session is known from reports, and its transcript would tell everything again.
    writeTranscript(named.transcript, claudeLines([{ prompt: "why" }], "c1"));
    put(world, report("prompt", { ...named, text: "and now" }), report("session_end", named));
    world.clock.time += 3_600_000;
    assert.equal((await digest(world))!.evidence, 1);
    assert.equal(await countOf(world, "evidence"), 2);
  });

  test("of another project's session do not bring its transcript along", async () => {
    const world = await testWorld();
    const transcript = join(world.folder, "s1.jsonl");
    writeTranscript(transcript, claudeLines(FIXED_LOGIN, "s1", "/another"));
    const named = { host: "claude-code", session: "s1", transcript } as const;
    put(world, report("prompt", { ...named, text: "typed here" }), report("session_end", named));
    assert.equal((await digest(world))!.evidence, 1);
    const [id] = await world.project.newestIds("evidence", 9);
    assert.equal((await world.project.items("evidence", [id!]))[0]!.content, "typed here");
  });

  test("wait while the last reply is not in the transcript yet", async () => {
    const world = await testWorld();
    const transcript = join(world.folder, "s1.jsonl");
    const lines = claudeLines([{ prompt: "why" }, { reply: "Because the queue is full." }]);
    writeTranscript(transcript, lines.slice(0, 1));
    const named = { host: "claude-code", session: "s1", transcript } as const;
    put(world, report("turn_end", { ...named, text: "Because the queue is full." }));
    world.clock.time = START + count * 1_000;
    assert.equal((await digest(world))!.reports, 0);
    writeTranscript(transcript, lines);
    assert.equal((await digest(world))!.reports, 1);
    const state = JSON.stringify(await world.project.checkpoint(transcript));
    assert.ok(state.includes("queue is full"));
  });

  test("are taken in themselves where the transcript is something else", async () => {
    const world = await testWorld();
    const transcript = join(world.folder, "s1.jsonl");
    writeTranscript(transcript, ["# something else"]);
    const named = { host: "claude-code", session: "s1", transcript } as const;
    put(world, report("prompt", { ...named, text: "why" }), report("session_end", named));
    assert.equal((await digest(world))!.evidence, 1);
  });

  test("that wait for a transcript which is missing are told of, with its name", async () => {
    const world = await testWorld();
    const transcript = join(world.folder, "claude", "projects", "-project", "s1.jsonl");
    const named = { host: "claude-code", session: "s1", transcript, at: world.clock.time } as const;
    put(world, report("prompt", { ...named, text: "why" }), report("session_end", named));
    const { answer } = await dispatch(extractVerb, {}, world);
    assert.deepEqual([answer.awaited, answer.evidence], [[transcript], 0]);
    const said = extractVerb.render(answer);
    assert.ok(said.startsWith("Reports of hooks wait up to a minute for a transcript that is missing: "), said);
    world.clock.time += 61_000;
    const later = (await dispatch(extractVerb, {}, world)).answer;
    assert.deepEqual([later.awaited, later.evidence], [[], 1]);
  });

  test("that cannot be taken in hold up no other session, and are not lost", async () => {
    const world = await testWorld();
    put(world, report("prompt", { session: "bad", text: "first" }), report("session_end", { session: "bad" }));
    put(world, report("prompt", { session: "good", text: "second" }), report("session_end", { session: "good" }));
    const project: TestWorld["project"] = {
      ...world.project,
      async checkpoint(name) {
        if (name.includes("bad")) throw new Error("damaged");
        return world.project.checkpoint(name);
      },
    };
    assert.equal((await digest({ ...world, project }))!.evidence, 1);
    assert.match(world.warnings.join(), /not taken in: damaged/);
    assert.equal((await world.spool.list(9)).length, 2);
  });

  test("lose their secrets in every field, by the rules of today", async () => {
    const world = await testWorld();
    const secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    const held = {
      session: `s ${secret}`,
      turn: secret,
      tool: secret,
      command: secret,
      path: `/${secret}`,
      text: secret,
    };
    put(world, report("tool", held), report("session_end", { session: held.session }));
    await digest(world);
    const noted = JSON.stringify(await world.project.events({ limit: 9 }));
    assert.ok(noted.includes("gemini") && !noted.includes(secret), noted);
  });

  test("are left alone where nothing is to be captured", async () => {
    const world = await testWorld();
    put(world, ...fixedLogin());
    const capture = { ...world.settings.capture, enabled: "off" } as const;
    assert.equal((await digest({ ...world, settings: { ...world.settings, capture } }))!.reports, 0);
  });

  test("of idle sessions that cannot be read any more do not keep others from their end", async () => {
    const world = await testWorld();
    const paths = Array.from({ length: 21 }, (_, number) => join(world.folder, `${number}.jsonl`));
    world.clock.time = START;
    for (const path of paths) {
      writeTranscript(path, claudeLines(FIXED_LOGIN.slice(0, 3), path));
      await extract({ path, isEnded: false }, world);
      world.clock.time += 1;
    }
    for (const path of paths.slice(0, 20)) writeTranscript(path, ["no longer a transcript ".repeat(99)]);
    world.clock.time += 3_600_000;
    await digest(world);
    await digest(world);
    assert.deepEqual(await world.project.openCheckpoints(Infinity, 99), []);
  });

  test("of a session that nobody ended are chosen from after half an hour", async () => {
    const world = await testWorld({ llm: sayingModel(CAUSE) });
    world.clock.time = START;
    put(world, ...fixedLogin().slice(0, -1));
    assert.deepEqual((await digest(world))!.memories, []);
    world.clock.time += 31 * 60_000;
    assert.ok((await digest(world))!.memories.length > 0);
    assert.deepEqual((await digest(world))!.memories, []);
  });

  test("of a session that nobody ended are chosen from when the next one begins", async () => {
    const world = await testWorld({ llm: sayingModel(CAUSE) });
    const transcript = join(world.folder, "next.jsonl");
    const next = { host: "claude-code", session: "s2", transcript } as const;
    const earlier = fixedLogin().filter(({ command }) => !command?.includes("git commit"));
    assert.equal(earlier.at(-1)!.event, "turn_end");
    put(world, ...earlier);
    world.clock.time = START + count * 1_000;
    assert.deepEqual((await digest(world))!.memories, []);
    put(world, report("session_start", { ...next, text: "compact" }));
    world.clock.time = START + count * 1_000;
    assert.deepEqual((await digest(world))!.memories, [], "a conversation that goes on begins nothing");
    put(world, report("session_start", { text: "resume" }));
    world.clock.time = START + count * 1_000;
    assert.deepEqual((await digest(world))!.memories, [], "and neither does this session itself");
    put(world, report("turn_end", { text: "Good." }), report("session_start", { ...next, text: "startup" }));
    world.clock.time = START + count * 1_000;
    assert.ok((await digest(world))!.memories.length > 0);
    assert.deepEqual((await digest(world))!.memories, []);
  });

  test("of a session at work are not chosen from when another one begins", async () => {
    const world = await testWorld({ llm: sayingModel(CAUSE) });
    put(world, ...fixedLogin().filter(({ command }) => !command?.includes("git commit")));
    put(world, report("prompt", { text: "and the other tests?" }));
    put(world, report("session_start", { session: "g2", text: "startup" }));
    world.clock.time = START + count * 1_000;
    assert.deepEqual((await digest(world))!.memories, []);
  });

  test("are left alone while another process digests", async () => {
    const world = await testWorld();
    put(world, ...fixedLogin());
    const at = world.clock.now();
    const lease = { kind: "take_lease", name: "digest", owner: "other", at, until: at + 10_000 } as const;
    await world.project.apply([lease], world.origin);
    assert.equal(await digest(world), null);
    assert.ok((await world.spool.list(100)).length > 0);
  });

  test("that cannot be read are passed over", async () => {
    const world = await testWorld();
    const [first, ...rest] = fixedLogin();
    put(world, first!, ...rest);
    const folder = join(world.folder, "spool", "0123456789abcdef0123456789abcdef");
    writeFileSync(join(folder, `${"f".repeat(32)}.json`), "{damaged");
    assert.equal((await digest(world))!.reports, rest.length + 1);
    assert.equal((await world.spool.list(10)).length, 0);
  });

  test("interrupted anywhere are neither lost nor doubled", async () => {
    const whole = await testWorld();
    const reports = [...fixedLogin(), report("session_end")];
    put(whole, ...reports);
    whole.clock.time = START + 3_600_000;
    await digest(whole);
    const expected = [await keptIn(whole), reports.length];
    assert.equal(await countOf(whole, "evidence"), 2);
    for (let fault = 0; fault < 6; fault += 1) {
      const world = await testWorld();
      world.clock.time = START + 3_600_000;
      put(world, ...reports);
      let left = fault;
      const failing =
        <Args extends unknown[], T>(call: (...args: Args) => Promise<T>) =>
        async (...args: Args): Promise<T> => {
          if (left === 0) throw new Error("interrupted");
          left -= 1;
          return call(...args);
        };
      const { project, spool } = world;
      const broken = {
        ...world,
        project: { ...project, apply: failing(project.apply) },
        spool: { ...spool, remove: failing(spool.remove) },
      };
      await digest(broken).catch(() => null);
      world.clock.time += 60_000; // the lease of the interrupted one has expired
      await digest(world);
      assert.deepEqual([await keptIn(world), await world.project.eventCount({})], expected, `after ${fault} calls`);
    }
  });
});
