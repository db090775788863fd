/** PageRank against the same said with a dense matrix, and what must hold for any graph. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Link, normalised, pageRank } from "../../src/files/rank-documents.ts";

/** Column by column: where a walker goes from each node, jumps included. */
function dense(nodes: readonly string[], links: readonly Link[]): number[] {
  const count = nodes.length;
  const matrix = nodes.map((from) => {
    const targets = new Set(links.filter((link) => link.from === from && link.to !== from).map(({ to }) => to));
    const row = nodes.map((to) => (targets.has(to) ? 1 / targets.size : 0));
    const whole = targets.size === 0 ? nodes.map(() => 1 / count) : row;
    return whole.map((share) => 0.85 * share + 0.15 / count);
  });
  let ranks = nodes.map(() => 1 / count);
  for (let round = 0; round < 50; round += 1) {
    const next = nodes.map((_, to) => ranks.reduce((sum, rank, from) => sum + rank * matrix[from]![to]!, 0));
    const moved = next.reduce((sum, rank, node) => sum + Math.abs(rank - ranks[node]!), 0);
    ranks = next;
    if (moved < 1e-6) break;
  }
  return ranks;
}

const graph = fc.integer({ min: 1, max: 12 }).chain((count) => {
  const nodes = Array.from({ length: count }, (_, node) => `n${node}`);
  const node = fc.constantFrom(...nodes);
  return fc.record({
    nodes: fc.constant(nodes),
    links: fc.array(fc.record({ from: node, to: node }), { maxLength: 40 }),
  });
});

test("the same as a dense computation", () => {
  fc.assert(
    fc.property(graph, ({ nodes, links }) => {
      const [ranks, expected] = [pageRank(nodes, links), dense(nodes, links)];
      nodes.forEach((node, index) => assert.ok(Math.abs(ranks.get(node)! - expected[index]!) < 1e-9));
    }),
  );
});

test("ranks sum to one, and normalised ones reach from above 0 to 1", () => {
  fc.assert(
    fc.property(graph, ({ nodes, links }) => {
      const ranks = pageRank(nodes, links);
      assert.ok(Math.abs([...ranks.values()].reduce((sum, rank) => sum + rank, 0) - 1) < 1e-9);
      const shares = [...normalised(ranks).values()];
      assert.equal(Math.max(...shares), 1);
      assert.ok(shares.every((share) => share > 0 && share <= 1));
    }),
  );
});

const EXAMPLE: Link[] = [
  { from: "specs/auth", to: "specs/users" },
  { from: "specs/auth", to: "specs/sessions" },
  { from: "docs/architecture", to: "specs/auth" },
  { from: "docs/architecture", to: "specs/users" },
  { from: "specs/sessions", to: "specs/users" },
];
const EXAMPLE_NODES = ["specs/auth", "specs/users", "specs/sessions", "docs/architecture"];

test("what three others refer to leads", () => {
  const ranks = pageRank(EXAMPLE_NODES, EXAMPLE);
  const order = EXAMPLE_NODES.toSorted((a, b) => ranks.get(b)! - ranks.get(a)!);
  assert.deepEqual(order, ["specs/users", "specs/sessions", "specs/auth", "docs/architecture"]);
  assert.equal(normalised(ranks).get("specs/users"), 1);
});

test("links twice, to itself and to nothing known change nothing", () => {
  const noise = [...EXAMPLE, ...EXAMPLE, { from: "specs/auth", to: "specs/auth" }, { from: "specs/auth", to: "gone" }];
  assert.deepEqual(pageRank(EXAMPLE_NODES, noise), pageRank(EXAMPLE_NODES, EXAMPLE));
});

test("nothing, and nothing linked", () => {
  assert.equal(pageRank([], EXAMPLE).size, 0);
  assert.equal(normalised(new Map()).size, 0);
  assert.deepEqual([...normalised(pageRank(["a", "b"], [])).values()], [1, 1]);
});
