import assert from "node:assert/strict";
import { test } from "node:test";
import { titled } from "../../src/text/short-text.ts";

const cases: [title: string | null, text: string, shown: string][] = [
  [null, "Use tabs.", "Use tabs."],
  ["", "Use tabs.", "Use tabs."],
  ["Style", "Use tabs.", "Style: Use tabs."],
  ["Style", "Style: Use tabs.", "Style: Use tabs."],
  ["Development › Style", "Style: Use tabs.", "Development › Style: Use tabs."],
  ["Deploys need the VPN", "Deploys need the VPN and two approvals", "Deploys need the VPN and two approvals"],
  ["Style", "Development: Use tabs.", "Style: Development: Use tabs."],
  ["Style", "", "Style: "],
];
for (const [title, text, shown] of cases)
  test(`${JSON.stringify(text)} titled ${JSON.stringify(title)}: ${shown}`, () =>
    assert.equal(titled(title, text), shown));
