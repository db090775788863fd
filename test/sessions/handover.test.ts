/** What is handed over of earlier sessions says nothing twice, and leaves nothing out that says something else. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contextAtStart } from "../../src/briefing/inject-at-start.ts";
import { contextForPrompt } from "../../src/briefing/inject-for-prompt.ts";
import type { SessionCard } from "../../src/sessions/card.ts";
import { toldWithPrompt } from "../../src/sessions/handover.ts";
import { UTC } from "../../src/time/calendar.ts";
import { laterWorld, onDay, taken } from "./session-steps.ts";

const card = (session: string): SessionCard => ({
  session,
  host: "test",
  branch: null,
  branches: [],
  from: 0,
  to: 1_000,
  title: { text: session, by: "branch" },
  asked: null,
  said: null,
  files: [],
  commits: [],
  check: null,
  ended: null,
  unanswered: null,
});

function told(...sessions: string[][]): string[] {
  const said: Parameters<typeof toldWithPrompt>[2] = [];
  const terms = { roomTokens: 2_000, now: 2_000, zone: UTC, left: new Set<string>() };
  return sessions.flatMap((texts, index) => {
    const notes = texts.map((text, at) => ({ id: `${index}/${at}`, text, at: null, files: [] }));
    return toldWithPrompt({ card: card(`session ${index}`), notes }, terms, said).lines.filter((line) => line.startsWith("- ")); // prettier-ignore
  });
}

test("a remark that stands in several sessions is told once", () => {
  const remark = "The reviewer asked for smaller commits in the parser";
  assert.equal(told([remark, `${remark}.`], [`Again: ${remark}`], [remark]).length, 1);
});

test("notes of one pattern are all told", () => {
  const services = ["billing", "search", "upload", "mail"];
  assert.equal(told(services.map((name) => `The ${name} service writes its logs to standard output`)).length, 4);
  assert.equal(told(["Retries: 3 in the worker"], ["Retries: 5 in the worker"]).length, 2);
});

test("what the start told of one session is not told with a prompt of another", async () => {
  const world = await laterWorld();
  const remark = "The berth table must never be cached, because each harbour has a zone of its own in `berths.ts` now.";
  const more = ["The ferry berths of Skagen are numbered from the lighthouse on, because `ferryOf()` sorts them so."];
  for (const [day, replies] of [[remark, ...more], [remark]].entries()) {
    const lines = replies.flatMap((reply) => [{ prompt: `What of berths on day ${day}?` }, { reply }]);
    await taken(world, onDay(day, lines), { session: `s${day}` });
  }
  const request = { report: "r", session: "n", isLate: () => false };
  const start = await contextAtStart({ ...request, source: "startup" }, world);
  assert.equal(start?.split("must never be cached").length, 2, "once, though two sessions noted it");
  const prompt =
    "Why are the ferry berths of Skagen numbered from the lighthouse, and why must the berth table never be cached?";
  const asked = (session: string) =>
    contextForPrompt({ ...request, report: session, session, prompt, transcript: null, mostTokens: 300 }, world);
  assert.match((await asked("another")) ?? "", /must never be cached/);
  assert.equal(await asked("n"), null);
});
