import assert from "node:assert/strict";
import { test } from "node:test";
import { adoption, type Author, authorOf, detailsBy, isByHand } from "../../src/memory/authorship.ts";
import type { Source } from "../../src/memory/item.ts";
import { newItem } from "../store/suite/trial.ts";

const author = (source: Source, host = "cli", byAgent = false): Author => ({ source, host, byAgent });

const authors: [Author, boolean, string][] = [
  [author("user_explicit"), true, "typed at a terminal"],
  [author("manual"), true, "written by hand"],
  [author("user_explicit", "library"), true, "told to a program"],
  [author("user_explicit", "mcp"), false, "an agent's claim through a server"],
  [author("manual", "cli", true), false, "an agent's claim in its shell"],
  [author("ai_inferred"), false, "inferred"],
  [author("file-index"), false, "a note"],
];
for (const [given, expected, what] of authors)
  test(`${what} is ${expected ? "" : "not "}by hand`, () => assert.equal(isByHand(given), expected));

test("the mark of an agent is set and removed, and other details stay", () => {
  const marked = detailsBy(true, { details: { space: "s" } });
  assert.deepEqual(marked, { space: "s", byAgent: true });
  assert.deepEqual(detailsBy(false, { details: marked }), { space: "s" });
  assert.equal(authorOf(newItem({ details: marked })).byAgent, true);
});

const person = author("user_explicit");
const adoptions: [Author, Source, boolean, string][] = [
  [person, "ai_inferred", true, "a person says what an agent inferred"],
  [person, "extraction", true, "a person says what was extracted"],
  [person, "manual", false, "it is a person's already"],
  [person, "file-index", false, "a note belongs to its file"],
  [author("ai_inferred", "mcp"), "extraction", false, "an agent takes nothing over"],
  [author("manual", "mcp"), "ai_inferred", false, "an agent's claim changes nothing"],
];
for (const [by, source, isTaken, why] of adoptions)
  test(`${isTaken ? "taken over" : "left alone"}: ${why}`, () => {
    const item = newItem({ source, details: { space: "s", byAgent: source === "ai_inferred" } });
    const expected = { source: by.source, host: by.host, details: { space: "s" } };
    assert.deepEqual(adoption({ ...item, host: "cli" }, by), isTaken ? expected : {});
  });
