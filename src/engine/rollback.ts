/**
 * Rolling back: what calls changed becomes what it was, in both stores.
 *
 * Everything is planned before anything is written, so a refusal leaves all as it is. The
 * store where things come back is written first: a crash in between leaves two copies rather
 * than none, and the same call again finishes it.
 */
import { Failure } from "../errors.ts";
import {
  type Goal,
  type Refusal,
  type Surroundings,
  goalsOf,
  keyOf,
  needsPassages,
  planRollback,
} from "../logic/plan-rollback.ts";
import { slotOf } from "../logic/said-once.ts";
import type { Change } from "../model/change.ts";
import type { Item } from "../model/item.ts";
import type { ChangeRecord } from "../model/journal.ts";
import type { Passage, Shelf } from "../model/shelf.ts";
import type { JournalQuery, Store, World } from "../ports.ts";
import { commit } from "./commit.ts";
import { passagesOf, withTokens } from "./passages.ts";

export interface RolledBackItem {
  id: string;
  shelf: Shelf;
  store: "project" | "global";
  became: "removed" | "restored" | "revised";
}

export interface RolledBack {
  status: "rolled_back" | "unchanged";
  /** Newest first. */
  changeSets: string[];
  undone: number;
  items: RolledBackItem[];
  /** What takes this back again. */
  changeSet: string | null;
}

export type RollbackRequest = { changeSet: string } | { last: number };

interface Side {
  name: RolledBackItem["store"];
  store: Store;
  other: Store;
}

interface Plan {
  changes: Change[];
  answer: Goal[];
}

const ITEMS_TOLD = 100;
const ALL = { limit: 1_000_000_000, offset: 0 };

export async function rollback(request: RollbackRequest, world: World): Promise<RolledBack> {
  const { project, global } = world;
  const changeSets = "last" in request ? await newestCalls(request.last, world) : [request.changeSet];
  if ("changeSet" in request) await needCall(request.changeSet, world);
  const sides: Side[] = [
    { name: "project", store: project, other: global },
    { name: "global", store: global, other: project },
  ];
  const planned = [];
  for (const side of sides) planned.push({ side, plan: await planSide(side, changeSets, world) });
  planned.sort((one, two) => Number(bringsBack(two.plan)) - Number(bringsBack(one.plan)));

  const done: { side: Side; goal: Goal }[] = [];
  for (const { side, plan } of planned) {
    const goals = await commitSide(side, plan, changeSets, world).catch((thrown: unknown) => {
      throw done.length > 0 && thrown instanceof Failure ? halfDone(thrown, world) : thrown;
    });
    done.push(...goals.map((goal) => ({ side, goal })));
  }
  return {
    status: done.length > 0 ? "rolled_back" : "unchanged",
    changeSets,
    undone: done.reduce((sum, { goal }) => sum + goal.entries, 0),
    items: done.slice(0, ITEMS_TOLD).map(({ side, goal }) => told(goal, side)),
    changeSet: done.length > 0 ? world.origin.call : null,
  };
}

const bringsBack = ({ answer }: Plan): boolean => answer.some(({ from, to }) => !from && to);

function told({ id, shelf, from, to }: Goal, { name }: Side): RolledBackItem {
  return { id, shelf, store: name, became: !to ? "removed" : from ? "revised" : "restored" };
}

/** The plan that was made serves for the first attempt. */
function commitSide(side: Side, plan: Plan, calls: readonly string[], world: World): Promise<Goal[]> {
  let ready: Plan | null = plan;
  return commit(
    side.store,
    async () => {
      const current = ready ?? (await planSide(side, calls, world));
      ready = null;
      return current;
    },
    world,
  );
}

/** By time over both stores; within one store in the order in which they were written, whatever the clock said. */
async function newestCalls(count: number, { project, global }: World): Promise<string[]> {
  const [one, two] = [await project.latestCalls(count), await global.latestCalls(count)];
  const calls = new Set<string>();
  for (let [first, second] = [0, 0]; calls.size < count; ) {
    const [left, right] = [one[first], two[second]];
    if (!left && !right) break;
    const isLeft = !right || (left && (left.at - right.at || (left.call > right.call ? 1 : -1)) > 0);
    calls.add((isLeft ? one[first++] : two[second++])!.call);
  }
  return [...calls];
}

async function needCall(call: string, { project, global }: World): Promise<void> {
  for (const store of [project, global]) {
    if ((await store.journal({ calls: [call] }, { limit: 1, offset: 0 })).total > 0) return;
  }
  throw new Failure("not_found", `There is no change set ${call}.`, "`stele audit` shows those there are.");
}

async function planSide(side: Side, calls: readonly string[], world: World): Promise<Plan> {
  const { store } = side;
  const found = goalsOf(await pastOf(side, calls));
  if ("refusal" in found) throw refused(found.refusal);
  const { goals } = found;
  const plan = planRollback(goals, {
    now: world.clock.now(),
    passages: await preparedPassages(goals, world),
    twins: await twinsOf(goals, store),
    replaced: await replacedBy(goals, store),
  });
  if ("refusal" in plan) throw refused(plan.refusal);
  return { changes: plan.changes, answer: goals };
}

async function pastOf({ store, other }: Side, calls: readonly string[]) {
  const own = await recordsOf(store, { calls });
  const ids = [...new Set(own.map(({ itemId }) => itemId))];
  const records = ids.length > 0 ? await recordsOf(store, { itemIds: ids }) : [];
  const current = await itemsByKey(store, own);
  const gone = own.filter(({ shelf, itemId: id }) => !current.has(keyOf({ shelf, id })));
  const elsewhere = new Set((await itemsByKey(other, gone)).keys());
  if (elsewhere.size > 0) {
    const touched = await recordsOf(other, { calls, itemIds: gone.map(({ itemId }) => itemId) });
    for (const { shelf, itemId: id } of touched) elsewhere.delete(keyOf({ shelf, id }));
  }
  return { calls: new Set(calls), records, current, elsewhere };
}

const recordsOf = async (store: Store, query: JournalQuery): Promise<ChangeRecord[]> =>
  (await store.journal(query, ALL)).records;

async function itemsByKey(store: Store, records: readonly ChangeRecord[]): Promise<Map<string, Item>> {
  const found = new Map<string, Item>();
  for (const [shelf, ofShelf] of Map.groupBy(records, (record) => record.shelf)) {
    const ids = [...new Set(ofShelf.map(({ itemId }) => itemId))];
    for (const item of await store.items(shelf, ids)) found.set(keyOf({ shelf, id: item.id }), item);
  }
  return found;
}

async function preparedPassages(goals: readonly Goal[], world: World): Promise<Map<string, Passage[]>> {
  const prepared = new Map<string, Passage[]>();
  for (const goal of goals.filter(needsPassages)) {
    prepared.set(keyOf(goal), await (goal.kept ? withTokens(goal.kept, world) : passagesOf(goal.to!.content, world)));
  }
  return prepared;
}

async function twinsOf(goals: readonly Goal[], store: Store): Promise<Map<string, Item>> {
  const twins = new Map<string, Item>();
  for (const goal of goals) {
    const { shelf, to } = goal;
    const twin = to && slotOf(shelf, to) ? await store.sameContent(shelf, to.scope, to.hash) : null;
    if (twin) twins.set(keyOf(goal), twin);
  }
  return twins;
}

async function replacedBy(goals: readonly Goal[], store: Store): Promise<Surroundings["replaced"]> {
  const replaced = [];
  for (const [shelf, going] of Map.groupBy(
    goals.filter(({ to }) => !to),
    (goal) => goal.shelf,
  )) {
    const ids = going.map(({ id }) => id);
    const items = await store.replacedBy(shelf, ids);
    const histories = items.length > 0 ? await recordsOf(store, { itemIds: items.map(({ id }) => id) }) : [];
    const ofShelf = histories.filter((record) => record.shelf === shelf);
    const byItem = Map.groupBy(ofShelf, ({ itemId }) => itemId);
    replaced.push(...items.map((item) => ({ shelf, item, history: byItem.get(item.id) ?? [] })));
  }
  return replaced;
}

function refused(refusal: Refusal): Failure {
  const what = `${refusal.shelf} ${refusal.id}`;
  switch (refusal.why) {
    case "changed since":
      return conflict(
        `Change set ${refusal.call} (${refusal.verb}) changed ${what} later.`,
        `Roll back ${refusal.call} first.`,
      );
    case "erased":
      return conflict(`What ${what} was before has been erased.`, "Erasing is for good; roll back other change sets.");
    case "not kept":
      return conflict(
        `What ${what} was before was not kept; of evidence that is revised, only hashes are.`,
        "Roll back other change sets.",
      );
    case "said twice":
      return conflict(`${what} would come back, and ${refusal.other} says the same.`, `Forget ${refusal.other} first.`);
    case "still needed":
      return conflict(`${what} would go, and ${refusal.other} was replaced by it.`, `Roll back ${refusal.call} first.`);
  }
}

const conflict = (message: string, hint: string): Failure => new Failure("conflict", message, hint);

/** One store is written and the other would not be: said, because half of it shows. */
function halfDone({ code, message, hint }: Failure, { origin }: World): Failure {
  const rest = `Half of it is done; \`stele rollback ${origin.call}\` takes that half back.`;
  return new Failure(code, `${message} ${rest}`, hint);
}
