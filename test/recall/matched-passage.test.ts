import assert from "node:assert/strict";
import { test } from "node:test";
import { matchedPassage } from "../../src/recall/excerpt.ts";

const LONG =
  "The build takes ten minutes.\nNobody knows why it does.\n\nDeploys need the VPN and two approvals. The train leaves on Tuesday.";
const shown = (question: string | undefined, limit: number) =>
  matchedPassage(LONG, question, limit)
    .map(({ text, style }) => (style === "match" ? `[${text}]` : text))
    .join("");

const cases: [question: string | undefined, limit: number, text: string][] = [
  [undefined, 40, "The build takes ten minutes. …"],
  ["approvals for a deploy", 60, "… [Deploys] need the VPN and two [approvals]. …"],
  ["when does the train leave", 40, "… The [train] [leaves] on Tuesday."],
  ["zebra", 40, "The build takes ten minutes. …"],
  [
    "train",
    500,
    "The build takes ten minutes. Nobody knows why it does. Deploys need the VPN and two approvals. The [train] leaves on Tuesday.",
  ],
];
for (const [question, limit, text] of cases)
  test(`${question ?? "no question"} in ${limit} characters`, () => assert.equal(shown(question, limit), text));
