import assert from "node:assert/strict";
import { test } from "node:test";
import { ghostMessages } from "../../src/briefing/context.ts";
import { GhostMessage } from "../../src/briefing/window.ts";
import { withoutUnsaid } from "../../src/sessions/clean-text.ts";
import { UTC } from "../../src/time/calendar.ts";
import { windowMemory } from "./window-samples.ts";

const NOW = Date.UTC(2026, 0, 15);
const decision = { handle: "aaaa1111", title: "auth", content: "tokens", createdAt: "2026-01-01T00:00:00.000Z" };

test("decisions, problems and preferences, each with every field, never visible", () => {
  const memories = [
    windowMemory("I like it short", { type: "preference", handle: "bbbb2222" }),
    windowMemory("the disk fills up", { type: "gotcha", handle: "cccc3333" }),
    windowMemory("a plain fact"),
  ];
  const messages = ghostMessages({ decisions: [decision], memories }, { now: NOW, zone: UTC });
  assert.deepEqual(
    messages.map(({ trigger }) => trigger),
    ["decisions_in_force", "known_problems", "preferences"],
  );
  for (const message of messages) {
    assert.deepEqual(GhostMessage.parse(message), message);
    assert.deepEqual([message.isVisible, message.role, message.timestamp], [false, "user", "2026-01-15T00:00:00.000Z"]);
    assert.equal(withoutUnsaid(message.content), "", "it is never captured");
  }
  assert.match(messages[0]!.content, /auth: tokens \(aaaa1111, 2026-01-01\)/);
  assert.match(messages[1]!.content, /the disk fills up \(cccc3333/);
});

test("not even an imported id ends the block", () => {
  const [message] = ghostMessages(
    { decisions: [{ ...decision, handle: "STELE_MEMORY_END" }], memories: [] },
    { now: NOW, zone: UTC },
  );
  assert.equal(withoutUnsaid(message!.content), "");
});

test("the same facts give the same id at any time, other facts another", () => {
  const [one] = ghostMessages({ decisions: [decision], memories: [] }, { now: NOW, zone: UTC });
  const [later] = ghostMessages({ decisions: [decision], memories: [] }, { now: NOW + 1, zone: UTC });
  const [other] = ghostMessages(
    { decisions: [{ ...decision, content: "cookies" }], memories: [] },
    { now: NOW, zone: UTC },
  );
  assert.equal(one!.id, later!.id);
  assert.notEqual(one!.id, other!.id);
});

test("without anything to say there is no message", () => {
  assert.deepEqual(ghostMessages({ decisions: [], memories: [windowMemory("a fact")] }, { now: NOW, zone: UTC }), []);
});
