/** Proposing, listing and rejecting decisions, through the verbs, on real stores. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { readerOf } from "../../src/catalog/operation.ts";
import log from "../../src/decisions/verbs/log.ts";
import proposals from "../../src/decisions/verbs/proposals.ts";
import propose from "../../src/decisions/verbs/propose.ts";
import reject from "../../src/decisions/verbs/reject.ts";
import type { Change } from "../../src/journal/change.ts";
import rollback from "../../src/journal/verbs/rollback.ts";
import { handleOf, identityOf } from "../../src/memory/handles.ts";
import forget from "../../src/memory/verbs/forget.ts";
import remember from "../../src/memory/verbs/remember.ts";
import { ask, itemIn, keep, type TestWorld, testWorld } from "../test-world.ts";
import { decisionItem } from "./decision-items.ts";
import { decide } from "./decision-steps.ts";

const DAY = 86_400_000;
const stage = async (world: TestWorld, input: Record<string, unknown>) =>
  (await dispatch(propose, { subject: "auth", ...input }, world)).answer;
const waiting = async (world: TestWorld, status?: string[]) =>
  (await dispatch(proposals, status ? { status } : {}, world)).answer;
const turnDown = async (world: TestWorld, id: string, reason = "too early") =>
  (await dispatch(reject, { id, reason }, world)).answer;

/** Puts decisions on their shelf as if a person had ratified them. */
async function decided(world: TestWorld, ...items: ReturnType<typeof decisionItem>[]): Promise<void> {
  const changes = items.map(
    (item): Change => ({ kind: "insert_item", shelf: "decision", item, passages: [], embed: false }),
  );
  assert.equal((await world.project.apply(changes, world.origin)).status, "applied");
}

test("a proposal waits with all that was said for it, and recall marks it as not ratified", async () => {
  const world = await testWorld();
  const { answer: said } = await dispatch(log, { text: "the app has no cookies" }, world);
  const { id, status, conflicts } = await stage(world, {
    decision: " JWT with refresh rotation ",
    rationale: "no cookies",
    rejected: ["cookies", "basic auth"],
    evidence: [said.id, said.id],
    validFrom: "2026-02-01",
    validUntil: "2027-02-01",
    tags: ["security"],
  });
  assert.deepEqual([status, conflicts], ["proposed", []]);
  const { items, total } = await waiting(world);
  assert.equal(total, 1);
  assert.deepEqual(items[0], {
    ...identityOf(id),
    subject: "auth",
    decision: "JWT with refresh rotation",
    rationale: "no cookies",
    rejected: ["cookies", "basic auth"],
    evidence: [said.id],
    supersedes: [],
    relates: [],
    reason: null,
    validFrom: "2026-02-01T00:00:00.000Z",
    validUntil: "2027-02-01T00:00:00.000Z",
    status: "pending",
    source: "user_explicit",
    host: "test",
    session: "session",
    createdAt: "2026-01-15T00:00:00.000Z",
  });
  const [hit] = (await ask(world, "refresh rotation")).hits;
  assert.deepEqual([hit?.id, hit?.unratified], [id, true]);
});

test("a decision that is remembered gets a short subject, and no list repeats it", async () => {
  const world = await testWorld();
  const content = "Telemetry is opt-in: nothing is sent before the person has switched it on";
  const { answer } = await dispatch(remember, { content, type: "decision" }, world);
  const listed = await waiting(world);
  const [item] = listed.items;
  assert.deepEqual([item?.id, item?.subject, item?.decision], [answer.id, "Telemetry", content]);
  assert.equal(proposals.render(listed, readerOf({}, world)).split("\n")[0], `${item?.handle}  ${content}`);
  await stage(world, { subject: "Retries", decision: "Retries: three at most" });
  assert.match(proposals.render(await waiting(world), readerOf({}, world)), /^\w+ {2}Retries: three at most$/m);
});

test("what holds and is contradicted is told; what has ended, begins later or is superseded is not", async () => {
  const world = await testWorld();
  const now = world.clock.now();
  const say = (content: string, title = "auth") => ({ title, content });
  await decided(
    world,
    decisionItem("holds", now - DAY, null, say("Always require tokens")),
    decisionItem("ended", now - 9 * DAY, now - DAY, say("Tokens never expire")),
    decisionItem("later", now + 40 * DAY, null, say("Tokens live for an hour")),
    decisionItem("other", now - DAY, null, say("The canteen opens at noon", "lunch")),
    decisionItem("archived", now - DAY, null, { ...say("Tokens are long"), status: "archived" }),
  );
  const levels = async (input: Record<string, unknown>) =>
    (await stage(world, input)).conflicts.map(({ id, level }) => `${id} ${level}`).toSorted();
  const text = "Don't require tokens, forbid them";
  assert.deepEqual(await levels({ decision: text, validUntil: "2026-02-01" }), ["holds reject"]);
  assert.deepEqual(await levels({ decision: `${text}!` }), ["holds reject", "later warn"]);
  assert.deepEqual(await levels({ decision: `${text}.`, supersedes: ["holds"] }), ["later warn"]);
  assert.deepEqual(await levels({ decision: `${text}?`, validFrom: "2026-01-10", validUntil: "2026-01-12" }), [
    "ended warn",
  ]);
});

test("equal text waits once; of another subject it is refused", async () => {
  const world = await testWorld();
  const { id } = await stage(world, { decision: "JWT" });
  const again = await stage(world, { decision: "JWT", subject: "Auth" });
  assert.deepEqual([again.status, again.id, again.call], ["duplicate", id, null]);
  await assert.rejects(stage(world, { decision: "JWT", subject: "mail" }), {
    code: "conflict",
    message: `Proposal ${handleOf(id)} has the same text, about "auth".`,
  });
  await turnDown(world, id);
  assert.equal((await stage(world, { decision: "JWT", subject: "mail" })).status, "proposed");
});

test("what cannot be ratified is not staged", async () => {
  const world = await testWorld();
  const now = world.clock.now();
  await decided(
    world,
    decisionItem("first", now - 9 * DAY, now - DAY, { status: "superseded", supersededBy: "second" }),
    decisionItem("second", now - DAY),
    decisionItem("gone", now - DAY, null, { status: "archived" }),
  );
  const { id: dropped } = await stage(world, { decision: "cookies" });
  await turnDown(world, dropped);
  const cases: [input: Record<string, unknown>, code: string, message: RegExp][] = [
    [{ subject: " " }, "invalid_input", /^subject is empty\.$/],
    [{ subject: "" }, "invalid_input", /^subject/],
    [{ decision: "\n" }, "invalid_input", /^decision is empty\.$/],
    [{ validFrom: "2026-02-01", validUntil: "2026-02-01" }, "invalid_input", /^It would end at 2026-02-01/],
    [{ validUntil: "2026-01-01" }, "invalid_input", /before it begins at 2026-01-15/],
    [{ validFrom: "tomorrow" }, "invalid_input", /^validFrom must be a date/],
    [{ evidence: ["nowhere"] }, "not_found", /^There is no evidence nowhere/],
    [{ supersedes: ["nowhere"] }, "not_found", /^There is no decision nowhere/],
    [{ supersedes: ["first"] }, "conflict", /is already superseded by second/],
    [{ supersedes: ["gone"] }, "conflict", /was forgotten/],
    [{ supersedes: ["second"], validFrom: "2026-01-01" }, "conflict", /second would hold at the same time/],
    [{ supersedes: [dropped] }, "conflict", /is rejected, so it cannot be superseded/],
  ];
  for (const [input, code, message] of cases) {
    await assert.rejects(stage(world, { decision: "passkeys", ...input }), { code, message }, JSON.stringify(input));
  }
  assert.equal((await waiting(world)).total, 0);
});

test("a rejection keeps proposal and reason, once, and can be taken back", async () => {
  const world = await testWorld();
  const { id } = await stage(world, { decision: "JWT" });
  await assert.rejects(turnDown(world, id, "  "), { code: "invalid_input" });
  const { call, ...answer } = await turnDown(world, id, " no app yet ");
  assert.deepEqual(answer, { status: "rejected", ...identityOf(id) });
  assert.equal((await waiting(world)).total, 0);
  const { items } = await waiting(world, ["rejected"]);
  assert.deepEqual([items[0]?.id, items[0]?.reason, items[0]?.decision], [id, "no app yet", "JWT"]);
  const { details } = (await itemIn(world, id, { shelf: "proposal" }))!;
  assert.deepEqual(details["settled"], { by: "session session", how: "test", at: world.clock.now() });
  await assert.rejects(turnDown(world, id), {
    code: "conflict",
    message: `Proposal ${handleOf(id)} is already rejected.`,
  });
  await assert.rejects(turnDown(world, "nowhere"), { code: "not_found" });
  await dispatch(rollback, { call: call! }, world);
  assert.deepEqual(
    (await waiting(world)).items.map((item) => [item.id, item.reason]),
    [[id, null]],
  );
});

test("secrets are taken out of every text of a proposal, and of a reason", async () => {
  const world = await testWorld();
  const token = `gh${"p_"}aB3dE6gH9jK2mN5pQ8rS1tU4vW7xY0zA3bC6`;
  const { id, redactions } = await stage(world, {
    subject: `a ${token}`,
    decision: `d ${token}`,
    rationale: `r ${token}`,
    rejected: [`x ${token}`],
    tags: [`t ${token}`],
  });
  assert.deepEqual(redactions, [{ rule: "github-token", count: 5 }]);
  await turnDown(world, id, `because ${token}`);
  assert.ok(!JSON.stringify(await itemIn(world, id, { shelf: "proposal" })).includes(token));
});

test("a remembered decision waits in the same queue, in a memory's place, and begins when it is ratified", async () => {
  const world = await testWorld();
  const memory = await keep(world, "auth uses cookies");
  const { id } = await keep(world, "auth uses JWT", { type: "decision", supersedes: memory.id, title: "auth" });
  const [item] = (await waiting(world)).items;
  assert.deepEqual([item?.id, item?.supersedes, item?.validFrom], [id, [memory.id], null]);
  assert.equal((await dispatch(forget, { target: id }, world)).answer.status, "forgotten");
  assert.deepEqual(
    (await waiting(world, ["rejected"])).items.map((one) => one.id),
    [id],
  );
});

test("what holds already is not staged again; from another time on it is another decision", async () => {
  const world = await testWorld();
  const id = await decide(world, "JWT with refresh rotation");
  const again = async (more: Record<string, unknown> = {}) => {
    const given = { subject: "Auth", decision: "JWT with refresh rotation ", ...more };
    return (await dispatch(propose, given, world)).answer;
  };
  const { status, id: known, conflicts } = await again();
  assert.deepEqual([status, known, conflicts], ["holds", id, []]);
  assert.equal((await again({ validUntil: "2099-01-01" })).status, "proposed");
});

test("equal text waits once; other terms for it are refused rather than lost", async () => {
  const world = await testWorld();
  const said = (await dispatch(log, { text: "Bo: rotate them" }, world)).answer.id;
  const first = await stage(world, { decision: "JWT", rationale: "the app has no cookies" });
  const again = await stage(world, { decision: "JWT" });
  assert.deepEqual([again.status, again.id], ["duplicate", first.id]);
  const others = [{ rationale: "because" }, { evidence: [said] }, { validFrom: "2026-02-01" }, { rejected: ["none"] }];
  for (const terms of others) {
    const message = new RegExp(`${handleOf(first.id)} has the same text but differs in: ${Object.keys(terms)[0]}`);
    await assert.rejects(stage(world, { decision: "JWT", ...terms }), { code: "conflict", message });
  }
  assert.equal((await waiting(world)).total, 1);
});
