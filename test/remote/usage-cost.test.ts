import assert from "node:assert/strict";
import { test } from "node:test";
import { costOf, type Prices } from "../../src/remote/provider.ts";

const SUM = { inputTokens: 2_000_000, outputTokens: 500_000 };
const OF = { provider: "openai", model: "small", purpose: "extract" } as const;
const PRICES: Prices = { provider: "openai", model: "small", inputPrice: 0.5, outputPrice: 4 };

const cases: [string, Partial<typeof OF> | { purpose: "embed" }, Partial<Prices>, number | null][] = [
  ["tokens cost what the settings say", {}, {}, 3],
  ["free is a price", {}, { inputPrice: 0, outputPrice: 0 }, 0],
  ["without both prices nothing is known", {}, { outputPrice: undefined }, null],
  ["another model has other prices", {}, { model: "large" }, null],
  ["another provider has too", {}, { provider: "none" }, null],
  ["and so has embedding", { purpose: "embed" }, {}, null],
];
for (const [why, of, prices, cost] of cases)
  test(why, () => assert.equal(costOf(SUM, { ...OF, ...of }, { ...PRICES, ...prices }), cost));
