/** The ledger of remote providers: what was used, by whom, and within which caps. */
import assert from "node:assert/strict";
import type { Change } from "../../../src/journal/change.ts";
import type { Usage, UsageCaps } from "../../../src/remote/provider.ts";
import { apply, applyInVain, type LedgerStore, type Make, trialsOf } from "./trial.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const DAY_MS = 86_400_000;

function noting(id: string, set: Partial<Usage> = {}, caps?: UsageCaps): Change {
  const plain = { provider: "openai", model: "small", purpose: "extract", session: "s", at: NOON } as const;
  const usage = { id, ...plain, inputTokens: 100, outputTokens: 10, ...set };
  return { kind: "note_usage", usage, ...(caps && { caps }) };
}

/** Tokens in and out, of language models only. */
export async function usedTokens(store: Pick<LedgerStore, "usage">): Promise<number> {
  const sums = (await store.usage(0)).filter(({ purpose }) => purpose !== "embed");
  return sums.reduce((sum, { total }) => sum + total.inputTokens + total.outputTokens, 0);
}

export function testLedger(make: Make<LedgerStore>): void {
  const { once } = trialsOf(make);
  once("sums are by provider, model and purpose, since a time and in total", async (store) => {
    assert.deepEqual(await store.usage(0), []);
    await apply(store, noting("1"), noting("2", { at: NOON - DAY_MS }), noting("3", { model: "large" }));
    await apply(store, noting("4", { purpose: "embed", outputTokens: 0 }));
    const sums = await store.usage(NOON);
    assert.deepEqual(
      sums.map(({ model, purpose, recent, total }) => [model, purpose, recent.inputTokens, total.outputTokens]),
      [
        ["large", "extract", 100, 10],
        ["small", "embed", 100, 0],
        ["small", "extract", 100, 20],
      ],
    );
  });
  once("the same request noted again replaces its tokens", async (store) => {
    await apply(store, noting("1", { inputTokens: 5_000, outputTokens: 1_000 }));
    await apply(store, noting("1", { inputTokens: 70, outputTokens: 7 }));
    assert.equal(await usedTokens(store), 77);
  });
  once("a request beyond the cap of its session or day is refused and leaves nothing", async (store) => {
    const caps = { sessionTokens: 220, dayTokens: 330 };
    await apply(store, noting("1", {}, caps), noting("2", {}, caps));
    await applyInVain(store, "note_usage", noting("3", {}, caps));
    await apply(store, noting("4", { session: "t" }, caps));
    await applyInVain(store, "note_usage", noting("5", { session: "u" }, caps));
    await apply(store, noting("6", { session: "u", at: NOON + DAY_MS }, caps));
    assert.equal(await usedTokens(store), 440);
  });
  once("embedding counts towards no cap", async (store) => {
    await apply(store, noting("1", { purpose: "embed", inputTokens: 1_000_000 }));
    await apply(store, noting("2", {}, { sessionTokens: 110, dayTokens: 110 }));
    assert.equal(await usedTokens(store), 110);
  });
  once("of two requests that fit only alone, one is made", async (store) => {
    const origin = { verb: "test", host: "suite", session: "", call: "", space: "" };
    const caps = { sessionTokens: 150, dayTokens: 150 };
    const both = ["1", "2"].map((id) => store.apply([noting(id, {}, caps)], origin));
    assert.deepEqual((await Promise.all(both)).map(({ status }) => status).toSorted(), ["applied", "conflict"]);
  });
}
