/** Ratifying, through the verb, on real stores: what a person is shown, what their answer writes, and who is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Ask, dispatch } from "../../src/catalog/dispatch.ts";
import type { Reply } from "../../src/catalog/question.ts";
import { planRatification, ratify as ratifyWith } from "../../src/decisions/ratify.ts";
import log from "../../src/decisions/verbs/log.ts";
import ratify from "../../src/decisions/verbs/ratify.ts";
import audit from "../../src/journal/verbs/audit.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import { handleOf, identityOf } from "../../src/memory/handles.ts";
import forget from "../../src/memory/verbs/forget.ts";
import get from "../../src/memory/verbs/get.ts";
import { zoneNamed } from "../../src/time/calendar.ts";
import { ask, itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";
import { DAY, settle, stage, YES } from "./decision-steps.ts";

const decisionIn = (world: TestWorld, id: string) => itemIn(world, id, { shelf: "decision" });
const proposalIn = (world: TestWorld, id: string) => itemIn(world, id, { shelf: "proposal" });

test("with a person's consent a proposal holds from now on, and the record says how", async () => {
  const world = await testWorld();
  const id = await stage(world, "JWT", { rationale: "no cookies", rejected: ["cookies"] });
  world.clock.time += DAY;
  const { asked, call, ...answer } = await settle(world, id);
  assert.deepEqual(answer, {
    status: "ratified",
    ...identityOf(id),
    superseded: [],
    related: [],
    conflicts: [],
    edited: [],
  });
  assert.deepEqual(asked, ["Ratify this decision about auth?\n> JWT\nRationale: “no cookies”\nRejected: cookies"]);
  const decision = (await decisionIn(world, id))!;
  assert.deepEqual(
    [decision.status, decision.title, decision.content, decision.validFrom, decision.validUntil],
    ["active", "auth", "JWT", world.clock.now(), null],
  );
  const settlement = { by: "a person", how: "test, asked", at: world.clock.now() };
  assert.deepEqual(decision.details["ratified"], settlement);
  const proposal = (await proposalIn(world, id))!;
  assert.deepEqual([proposal.status, proposal.content, proposal.details["settled"]], ["ratified", "JWT", settlement]);
  const { answer: told } = await dispatch(audit, { id, verify: true }, world);
  assert.match(JSON.stringify(told), /"how":"test, asked"/);
  assert.ok(call);
});

test("what it supersedes ends when it begins; what it contradicts is shown; taking it back restores both", async () => {
  const world = await testWorld();
  const [first, other] = [await stage(world, "Require JWT"), await stage(world, "Forbid JWT")];
  await settle(world, first);
  const { conflicts } = await settle(world, other, { supersedes: [] });
  assert.deepEqual(
    conflicts.map(({ id, level }) => [id, level]),
    [[first, "reject"]],
  );
  world.clock.time += DAY;
  const second = await stage(world, "Passkeys only", { supersedes: [first], validFrom: "2026-01-15T12:00:00Z" });
  const { asked, superseded, call } = await settle(world, second);
  assert.deepEqual(superseded, [first]);
  assert.equal(
    asked[0],
    `Ratify this decision about auth?\n  may contradict ${handleOf(other)}: “Forbid JWT”\nSupersedes ${handleOf(first)}: “Require JWT”\n` +
      `Near ${handleOf(other)}, which stays in force (\`--supersedes ${handleOf(other)}\` ends it)\n` +
      "Holds from 2026-01-15 12:00\n> Passkeys only",
  );
  const closed = (await decisionIn(world, first))!;
  assert.deepEqual(
    [closed.status, closed.supersededBy, closed.validUntil],
    ["superseded", second, Date.UTC(2026, 0, 15, 12)],
  );
  const back = { call: call! };
  await assert.rejects(dispatch(rollback, back, world), { code: "refused" });
  const told: string[] = [];
  const ask: Ask = async ({ message }) => (told.push(message), YES);
  await dispatch(rollback, back, world, { ask });
  assert.match(
    told[0]!,
    new RegExp(
      `^Undo this\\?.*\n> ${handleOf(second)} auth: Passkeys only\n> ${handleOf(first)} auth: Require JWT$`,
      "s",
    ),
  );
  assert.equal(await decisionIn(world, second), undefined);
  assert.equal((await proposalIn(world, second))?.status, "pending");
  const reopened = (await decisionIn(world, first))!;
  assert.deepEqual([reopened.status, reopened.supersededBy, reopened.validUntil], ["active", null, null]);
});

test("edits are shown, kept beside what was proposed, and searched for", async () => {
  const world = await testWorld();
  const id = await stage(world, "JWT");
  const edits = { subject: "login", decision: " Opaque tokens ", validUntil: "2027-01-01", rejected: ["JWT"] };
  const { asked, edited } = await settle(world, id, edits);
  assert.deepEqual(edited.toSorted(), ["decision", "rejected", "subject", "validUntil"]);
  assert.match(
    asked[0]!,
    /^Ratify this decision about login\?\nHolds until 2027-01-01.*\nChanged since it was proposed: /,
  );
  assert.match(asked[0]!, /\n> Opaque tokens\nRejected: JWT$/);
  const { title, content, details } = (await decisionIn(world, id))!;
  assert.deepEqual([title, content], ["login", "Opaque tokens"]);
  assert.deepEqual((details["edits"] as Record<string, unknown>)["decision"], {
    proposed: "JWT",
    ratified: "Opaque tokens",
  });
  assert.equal((await proposalIn(world, id))?.content, "JWT");
  const found = await world.project.keyword(
    "decision",
    { terms: ["opaque"] },
    { statuses: ["active"], now: world.clock.now() },
    5,
  );
  assert.deepEqual(
    found.map(({ itemId }) => itemId),
    [id],
  );
});

test("a remembered decision has a subject and takes a memory's place", async () => {
  const world = await testWorld();
  const memory = await keep(world, "auth uses cookies");
  const { id } = await keep(world, "auth uses JWT", { type: "decision", supersedes: memory.id });
  assert.equal((await proposalIn(world, id))?.title, "auth uses JWT");
  const hint = "Say in a word or two what it is about, with `--subject`.";
  await assert.rejects(planRatification(id, { subject: " " }, { by: null, how: "test" }, world), { hint });
  assert.deepEqual((await settle(world, id)).superseded, [memory.id]);
  const closed = (await itemIn(world, memory.id))!;
  assert.deepEqual([closed.status, closed.supersededBy], ["superseded", id]);
  const wide = await keep(world, "tabs, not spaces", { type: "preference", scope: "global" });
  await assert.rejects(keep(world, "spaces", { type: "decision", supersedes: wide.id }), { code: "invalid_input" });
});

test("no, silence and an unheard question change nothing", async () => {
  const world = await testWorld();
  const id = await stage(world, "JWT");
  const replies: [Reply, RegExp][] = [
    [{ action: "accept", values: { ratify: false } }, /was declined/],
    [{ action: "decline" }, /was declined/],
    [{ action: "cancel" }, /was cancelled/],
  ];
  for (const [reply, message] of replies) {
    await assert.rejects(settle(world, id, {}, reply), { code: "refused", message });
  }
  await assert.rejects(dispatch(ratify, { id }, world), {
    code: "refused",
    message: /nobody can be asked here/,
    hint: `A person can run \`stele ratify ${id}\` in a terminal.`,
  });
  assert.equal((await proposalIn(world, id))?.status, "pending");
  assert.equal(await decisionIn(world, id), undefined);
});

test("where the person's settings allow it, nobody need be asked, and the record says so; who can be asked is", async () => {
  const world = await testWorld({ decisions: { ratify: "unattended" } });
  const id = await stage(world, "JWT");
  await assert.rejects(settle(world, id, {}, { action: "decline" }), { code: "refused" });
  assert.equal((await dispatch(ratify, { id }, world)).answer.status, "ratified");
  assert.deepEqual((await decisionIn(world, id))?.details["ratified"], {
    by: null,
    how: "test; the settings allow it",
    at: world.clock.now(),
  });
});

test("what cannot be ratified is refused before anybody is asked, and nothing is written", async () => {
  const world = await testWorld();
  const done = await stage(world, "JWT");
  await settle(world, done);
  const waiting = await stage(world, "Passkeys");
  const follower = await stage(world, "Magic links", { supersedes: [waiting] });
  const before = await world.project.chainHead();
  const cases: [id: string, edits: Record<string, unknown>, code: string, message: RegExp][] = [
    ["nowhere", {}, "not_found", /^There is no proposal nowhere/],
    [done, {}, "conflict", /is already ratified/],
    [follower, {}, "conflict", /is still pending, so it cannot be superseded/],
    [waiting, { supersedes: [follower] }, "conflict", /would supersede each other/],
    [waiting, { supersedes: [waiting] }, "conflict", /would supersede each other/],
    [waiting, { supersedes: ["nowhere"] }, "not_found", /no decision nowhere/],
    [waiting, { supersedes: [done], validFrom: "2026-01-01" }, "conflict", /would hold at the same time/],
    [waiting, { validUntil: "2026-01-01" }, "invalid_input", /^It would end at/],
    [waiting, { subject: " " }, "invalid_input", /^subject is empty\.$/],
    [waiting, { evidence: ["nowhere"] }, "not_found", /no evidence nowhere/],
  ];
  for (const [id, edits, code, message] of cases) {
    const ask: Ask = async () => assert.fail("nobody is asked");
    await assert.rejects(dispatch(ratify, { id, ...edits }, world, { ask }), { code, message }, JSON.stringify(edits));
  }
  assert.deepEqual(await world.project.chainHead(), before);
});

test("whoever's role allows no decision is told so before anybody is asked", async () => {
  const world = await testWorld();
  const id = await stage(world, "JWT");
  const refusal = async (shelf?: string) => (shelf === "decision" ? { message: "No.", hint: "Ask Ada." } : null);
  const limited = { ...world, project: { ...world.project, refusal } };
  const ask: Ask = async () => assert.fail("nobody is asked");
  const failure = { code: "refused", message: "No.", hint: "Ask Ada." };
  await assert.rejects(dispatch(ratify, { id }, limited, { ask }), failure);
});

test("why it is refused is told by the person's clock", async () => {
  const world = await testWorld();
  const id = await stage(world, "JWT");
  const there = { ...world, zone: zoneNamed("America/Los_Angeles")! };
  const window = { validFrom: "2026-02-01T03:00:00Z", validUntil: "2026-02-01T02:00:00Z" };
  await assert.rejects(dispatch(ratify, { id, ...window }, there, {}), {
    message: "It would end at 2026-01-31 18:00, before it begins at 2026-01-31 19:00.",
  });
});

test("what was settled while the person thought is not settled twice", async () => {
  const world = await testWorld();
  const id = await stage(world, "JWT");
  const ask: Ask = async () => {
    await settle(world, id);
    return YES;
  };
  await assert.rejects(dispatch(ratify, { id }, world, { ask }), { code: "conflict", message: /is already ratified/ });
});

test("a decision cannot pass for what is said about it, and secrets in edits are taken out", async () => {
  const world = await testWorld();
  const token = `gh${"p_"}aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6`;
  const id = await stage(world, "JWT\nSupersedes nothing\rat all");
  const { asked } = await settle(world, id, { rationale: `it\nis ${token}`, rejected: [token] });
  assert.match(asked[0]!, /\n> JWT\n> Supersedes nothing\n> at all\nRationale: “it is \[redacted/);
  assert.ok(!JSON.stringify([asked, await decisionIn(world, id)]).includes(token));
});

test("a ratified decision is not forgotten by id, and a dry run ratifies nothing", async () => {
  const world = await testWorld();
  const id = await stage(world, "JWT");
  const { changes } = await dispatch(ratify, { id }, world, { ask: async () => YES, dryRun: true });
  assert.deepEqual(
    changes.map(({ kind }) => kind),
    ["insert_item", "revise_item"],
  );
  assert.equal(await decisionIn(world, id), undefined);
  await settle(world, id);
  await assert.rejects(dispatch(forget, { target: id }, world), { code: "refused" });
});

test("a memory is followed when the decision begins, and stands in its history", async () => {
  const world = await testWorld();
  const memory = await keep(world, "auth uses cookies for the browser");
  const id = await stage(world, "auth uses JWT", { supersedes: [memory.id], validFrom: "2026-02-01" });
  await settle(world, id);
  const found = async () => (await ask(world, "auth browser cookies")).hits;
  assert.deepEqual(
    (await found()).map((hit) => hit.id),
    [memory.id],
    "until then it holds",
  );
  world.clock.time = Date.UTC(2026, 1, 2);
  const [hit] = await found();
  assert.deepEqual([hit?.id, hit?.history.map((past) => past.id)], [id, [memory.id]]);
});

test("what was replaced while the proposal waited is not replaced again", async () => {
  const world = await testWorld();
  const memory = await keep(world, "auth uses cookies");
  const id = await stage(world, "auth uses JWT", { supersedes: [memory.id] });
  const other = await keep(world, "auth uses basic authentication", { supersedes: memory.id });
  await assert.rejects(settle(world, id), { code: "conflict", hint: `Supersede ${handleOf(other.id)} instead.` });
  const { superseded } = await settle(world, id, { without: ["supersedes"] });
  assert.deepEqual(superseded, []);
});

test("what was proposed can be left out; get tells what a decision rests on", async () => {
  const world = await testWorld();
  const said = (await dispatch(log, { text: "Bo: JWT" }, world)).answer.id;
  const terms = {
    rationale: "the app has no cookies",
    rejected: ["cookies"],
    evidence: [said],
    validUntil: "2027-01-01",
  };
  const id = await stage(world, "JWT", terms);
  await settle(world, id, { without: ["rejected", "validUntil"] });
  const { grounds, validUntil } = (await dispatch(get, { id }, world)).answer;
  const { settled, ...rest } = grounds!;
  assert.deepEqual(
    [validUntil, rest],
    [
      null,
      { rationale: terms.rationale, rejected: [], evidence: [said], reason: null, edited: ["rejected", "validUntil"] },
    ],
  );
  assert.deepEqual([settled?.by, settled?.at], ["a person", new Date(world.clock.now()).toISOString()]);
});

test("nothing that others wrote can pass for a line of the question, nor hide what contradicts it", async () => {
  const world = await testWorld();
  const other = await stage(world, "Always require tokens");
  await settle(world, other);
  const forged = "Never require tokens\u2028Supersedes nothing\vHolds until 2030\u0085Evidence: all\n".repeat(100);
  const id = await stage(world, forged, { rejected: ["one\nSupersedes nothing"] });
  const { asked } = await settle(world, id, { supersedes: [] });
  const lines = asked[0]!.split("\n");
  assert.match(lines[1]!, /^ {2}may contradict /);
  assert.ok(lines.length < 120);
  const own = lines.filter((line) => !line.startsWith("> "));
  assert.deepEqual(own.slice(2), [
    `Near ${handleOf(other)}, which stays in force (\`--supersedes ${handleOf(other)}\` ends it)`,
    "(300 more lines; `stele get` shows the proposal in full.)",
    "Rejected: “one Supersedes nothing”",
  ]);
});

test("without a person's consent to exactly this nothing is ratified, whoever calls", async () => {
  const world = await testWorld();
  const id = await stage(world, "Require JWT");
  const how = { by: null, how: "test" };
  const { fingerprint: about } = await planRatification(id, {}, how, world);
  for (const consent of [null, { values: { ratify: true }, about: "something else" }]) {
    await assert.rejects(ratifyWith(id, {}, how, consent, world), { code: "conflict" });
    assert.deepEqual([await decisionIn(world, id), (await proposalIn(world, id))?.status], [undefined, "pending"]);
  }
  await ratifyWith(id, {}, how, { values: { ratify: true }, about }, world);
  assert.equal((await decisionIn(world, id))?.status, "active");
});

test("consent does not cover another contradiction than the one that was shown", async () => {
  const world = await testWorld();
  const id = await stage(world, "Require JWT");
  const shown = await stage(world, "Forbid JWT", { subject: "tokens" });
  await settle(world, shown);
  const how = { by: null, how: "test" };
  const before = await planRatification(id, { supersedes: [] }, how, world);
  const other = await stage(world, "Forbid JWT everywhere", { subject: "tokens", supersedes: [shown] });
  await settle(world, other);
  const after = await planRatification(id, { supersedes: [] }, how, world);
  assert.deepEqual(
    [before, after].map(({ conflicts }) => conflicts.map((one) => one.id)),
    [[shown], [other]],
  );
  assert.notEqual(before.fingerprint, after.fingerprint);
  const consent = { values: { ratify: true }, about: before.fingerprint };
  await assert.rejects(ratifyWith(id, { supersedes: [] }, how, consent, world), { code: "conflict" });
  assert.equal(await decisionIn(world, id), undefined);
});

test("what is consented to is told by all of it, also by what is not shown", async () => {
  const world = await testWorld();
  const id = await stage(world, "JWT");
  const about = async (decision: string) => (await ratify.question!({ id, decision }, world))?.about;
  const long = "word ".repeat(2_000);
  assert.equal(await about(`${long}one`), await about(`${long}one`));
  assert.notEqual(await about(`${long}one`), await about(`${long}two`));
  world.clock.time += 1;
  assert.equal(await about("JWT, daily"), await about("JWT, daily"));
});
