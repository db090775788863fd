import assert from "node:assert/strict";
import { test } from "node:test";
import { overtakenBy } from "../../../src/logic/capture/overtaken.ts";
import type { Item } from "../../../src/model/memory/item.ts";

const captured = (content: string): Item =>
  ({ content, source: "extraction", pinned: false, type: "bug_fix", session: "a", createdAt: 1 }) as Item;
const overtakes = (later: string, earlier: string): boolean =>
  overtakenBy({ content: later, saidAt: 2, session: "b" }, [captured(earlier)]).overtakes.length > 0;

const FAILED = (number: string, more = "") =>
  `Migration ${number} failed because the column email of the users was missing${more}, so the column was added.`;

const cases: [later: string, earlier: string, isOvertaken: boolean, why: string][] = [
  [FAILED("0012", " after the merge"), FAILED("0012"), true, "told again, with more"],
  [FAILED("0013"), FAILED("0012"), false, "another migration"],
  ["`parse2.ts` loses the last row of a file.", "`parse1.ts` loses the last row of a file.", false, "another file"],
];
for (const [later, earlier, isOvertaken, why] of cases)
  test(why, () => assert.equal(overtakes(later, earlier), isOvertaken));
