import assert from "node:assert/strict";
import { test } from "node:test";
import { createLanes } from "../../src/embed/job-order.ts";

const job = (name: string, count: number) => ({ name, texts: Array<string>(count).fill(name) });

test("small jobs first, each kind in order of arrival, up to the last one", () => {
  const lanes = createLanes<ReturnType<typeof job>>();
  for (const next of [job("bulk", 9), job("question", 1), job("more bulk", 100), job("batch", 8)]) lanes.add(next);
  const served: string[] = [];
  for (let next = lanes.next(); next !== undefined; next = lanes.next()) {
    served.push(next.name);
    lanes.remove(next);
  }
  assert.deepEqual(served, ["question", "batch", "bulk", "more bulk"]);
});

test("a question overtakes a job that was begun, which then goes on", () => {
  const lanes = createLanes<ReturnType<typeof job>>();
  const bulk = job("bulk", 50);
  const question = job("question", 1);
  lanes.add(bulk);
  assert.equal(lanes.next(), bulk);
  lanes.add(question);
  assert.equal(lanes.next(), question);
  lanes.remove(question);
  assert.equal(lanes.next(), bulk);
});

test("a large job has its turn among any number of small ones", () => {
  const lanes = createLanes<ReturnType<typeof job>>();
  lanes.add(job("bulk", 100));
  const served: string[] = [];
  for (let turn = 0; turn < 27; turn += 1) {
    lanes.add(job("question", 1));
    const next = lanes.next()!;
    served.push(next.name);
    if (next.name === "question") lanes.remove(next);
  }
  const turns = served.flatMap((name, turn) => (name === "bulk" ? [turn] : []));
  assert.deepEqual(turns, [8, 17, 26]);
});
