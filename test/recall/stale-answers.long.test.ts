/** After supersession no question is answered with what was replaced, and the answer says what it replaced. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { closing } from "../../src/memory/item-changes.ts";
import { apply, insertion, newItem } from "../store/suite/trial.ts";
import { ask, testWorld } from "../test-world.ts";

const SERVICES = "billing search login mail export report import chat audit media".split(" ");
const VALUES = "amber basalt cobalt dune ember flint garnet hazel indigo jasper".split(" ");
/** What is asked of each service: some questions name the old value, some the new one, some neither. */
const SLOTS: [statement: (service: string, value: string) => string, question: (service: string) => string][] = [
  [(service, value) => `The ${service} service runs on ${value}`, (service) => `where does ${service} run`],
  [(service, value) => `The queue of ${service} is ${value}`, (service) => `which queue has ${service}`],
  [(service, value) => `${service} logs go to ${value}`, (service) => `where do the ${service} logs go`],
  [(service, value) => `The owner of ${service} is team ${value}`, (service) => `who owns ${service}`],
  [(service, value) => `${service} caches sessions in ${value}`, (service) => `sessions cache of ${service}`],
];

interface Slot {
  before: string;
  after: string;
  questions: string[];
}

/** Each service and slot has a value, then another; the numbers are fixed, so every run asks the same. */
const slots = SERVICES.flatMap((service, row) =>
  SLOTS.map(([statement, question], column): Slot => {
    const [old, fresh] = [(row * 7 + column * 3) % VALUES.length, (row * 3 + column * 7 + 5) % VALUES.length];
    const [stale, valid] = [VALUES[old]!, VALUES[fresh === old ? (fresh + 1) % VALUES.length : fresh]!];
    const [before, after] = [statement(service, stale), statement(service, valid)];
    return { before, after, questions: [question(service), `${question(service)} ${stale}`, before, after] };
  }),
);

test("of two hundred questions none finds a replaced text, and each answer has it in its history", async () => {
  const world = await testWorld();
  const at = world.clock.time;
  const pairs = slots.map((slot) => {
    const [old, successor] = [slot.before, slot.after].map((content) => newItem({ content, createdAt: at }));
    return { ...slot, old: old!, successor: successor! };
  });
  for (const { old } of pairs) await apply(world.project, insertion("memory", old));
  world.clock.time += 1_000;
  for (const { old, successor } of pairs)
    await apply(world.project, insertion("memory", successor), closing(old, successor.id, world.clock.time));
  const stale = new Set(pairs.map(({ before }) => before));
  const replacedBy = new Map(pairs.map(({ old, successor }) => [successor.id, old.id]));
  let asked = 0;
  for (const { questions, old, successor } of pairs)
    for (const question of questions) {
      const { hits } = await ask(world, question, { mode: "keyword", limit: 5, quiet: true });
      asked += 1;
      assert.deepEqual(
        hits.filter(({ id, content }) => id === old.id || stale.has(content)),
        [],
        question,
      );
      assert.ok(
        hits.some(({ id }) => id === successor.id),
        question,
      );
      for (const { id, history } of hits)
        assert.deepEqual(
          history.map((past) => past.id),
          [replacedBy.get(id)],
          question,
        );
    }
  assert.equal(asked, 200);
});
