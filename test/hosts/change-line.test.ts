import assert from "node:assert/strict";
import { test } from "node:test";
import { changeLine } from "../../src/cli/run.ts";
import type { ReportedChange } from "../../src/journal/change.ts";
import type { Space } from "../../src/memory/space.ts";
import { edgeBetween } from "../store/suite/edges.ts";
import { newItem } from "../store/suite/trial.ts";

const one = newItem({ id: "one", title: null, summary: "Deploys\nneed the VPN" });
const two = newItem({ id: "019bbef3-b000-7001-8748-60b176237f6a" });
const edge = edgeBetween("memory", one, two);
const space = { root: "/src/app" } as Space;
const many = Array.from({ length: 7 }, (_, index) => `i${index}`);

const lines: [change: ReportedChange, line: string][] = [
  [
    { kind: "insert_item", shelf: "memory", item: one, passages: [], embed: true },
    "would add memory one Deploys need the VPN",
  ],
  [
    { kind: "revise_item", shelf: "decision", id: two.id, expectedVersion: 1, set: {}, passages: null, embed: false },
    "would change decision 76237f6a",
  ],
  [{ kind: "remove_item", shelf: "memory", id: "one", expectedVersion: 1 }, "would remove memory one"],
  [{ kind: "insert_edge", edge }, "would add edge one relates to 76237f6a"],
  [{ kind: "remove_edge", shelf: "memory", id: "e1" }, "would remove edge e1"],
  [{ kind: "purge_items", ids: ["one", two.id], queries: [] }, "would erase one, 76237f6a"],
  [{ kind: "evict_items", shelf: "memory", ids: many }, "would remove memory i0, i1, i2, i3, i4, 2 more"],
  [{ kind: "insert_space", space }, "would add project /src/app"],
  [{ kind: "move_space", id: "s", expectedKey: "k", space }, "would move project /src/app"],
];
for (const [change, line] of lines) test(line, () => assert.equal(changeLine(change), line));
