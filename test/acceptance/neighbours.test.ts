/** Of two statements about one thing the newer comes first wherever a session reads them, and the older never alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { contextForPrompt } from "../../src/briefing/inject-for-prompt.ts";
import { dispatch } from "../../src/catalog/dispatch.ts";
import { ask, keep, testWorld } from "../test-world.ts";
import { operations } from "../whole-catalog.ts";

const PAIRS: [older: string, newer: string][] = [
  ["The proxy listens on port 81", "The proxy listens on port 82"],
  ["Requests time out after thirty seconds", "Requests time out after one minute"],
  ["Backups run nightly at two o'clock", "The nightly backups run at four o'clock"],
  ["Telemetry is on by default", "Telemetry is off by default"],
  ["Backups laufen jede Nacht um zwei Uhr", "Backups laufen jede Nacht um vier Uhr"],
  ["We deploy to staging on Fridays", "Deploys to staging happen on Mondays"],
  ["Images are stored on the local disk", "Images are stored in the object store"],
  ["The linter allows lines of 100 characters", "The linter allows lines of 120 characters"],
  ["Anna reviews all database migrations", "Database migrations are reviewed by Tom"],
  ["The cache keeps sessions for an hour", "The cache keeps sessions for one day"],
  ["Feature flags live in a YAML file", "Feature flags live in the database"],
  ["The mobile app supports Android 9", "The mobile app supports Android 11 and later"],
  ["Passwords need at least eight characters", "Passwords need at least twelve characters"],
  ["Logs are kept for ninety days", "Logs are kept for two weeks"],
  ["The search index is rebuilt every hour", "The search index is rebuilt on every change"],
  ["Emails are sent through Mailgun", "Emails are sent through Postmark"],
  ["Invoices are due within ten days", "Invoices are due within thirty days"],
  ["CI runs the tests on Node 20", "CI runs the tests on Node 24"],
  ["The API returns dates as timestamps", "The API returns dates as ISO strings"],
  ["Uploads are limited to five megabytes", "Uploads are limited to twenty megabytes"],
];

function newerFirst(text: string, newer: string, older: string): void {
  const [first, mark, second] = [newer, "earlier than ", older].map((part) => text.indexOf(part)) as [
    number,
    number,
    number,
  ];
  assert.ok(first >= 0 && first < mark && mark < second, text);
}

test(`${PAIRS.length} fresh projects: newer first in recall and surface, the older with it`, async () => {
  for (const [older, newer] of PAIRS) {
    const world = await testWorld();
    const set = { scope: "project", compare: true, type: "fact" } as const;
    await keep(world, older, set);
    world.clock.time += 86_400_000;
    await keep(world, newer, set);
    const { hits } = await ask(world, newer.split(" ").slice(0, 4).join(" "));
    assert.deepEqual(hits.map(({ content }) => content).slice(0, 2), [newer, older], newer); // prettier-ignore
    const { answer } = await dispatch(operations.surface, {}, world);
    newerFirst(answer.text, newer, older);
    const orientation = await dispatch(operations.orient, {}, world);
    newerFirst(JSON.stringify(orientation.answer.memories), newer, older);
    const window = await dispatch(operations.context, {}, world);
    newerFirst(JSON.stringify(window.answer.relevant), newer, older);
  }
});

test("a prompt is answered with the newer one, the older with it", async () => {
  const world = await testWorld();
  const set = { scope: "project", compare: true, type: "fact" } as const;
  await keep(world, "The proxy listens on port 81", set);
  world.clock.time += 86_400_000;
  await keep(world, "Port 82 is the one the proxy uses", set);
  for (const [index, text] of ["Walrus sleeps on ice", "The heron eats fish", "Storks nest on roofs"].entries())
    await keep(world, `${text} ${index}`, set);
  const block = await contextForPrompt(
    { report: "r", session: "s", prompt: "On which port does the proxy listen now?", transcript: null, mostTokens: 300, isLate: () => false }, // prettier-ignore
    world,
  );
  newerFirst(block ?? "", "Port 82 is the one the proxy uses", "The proxy listens on port 81");
});
