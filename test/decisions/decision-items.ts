/** Proposals and decisions as the tests of their rules write them. */
import type { Item } from "../../src/memory/item.ts";
import { contentHash } from "../../src/text/content-hash.ts";

const blank: Item = {
  id: "",
  type: "decision",
  scope: "project",
  status: "active",
  title: "auth",
  content: "JWT with refresh rotation",
  summary: "JWT with refresh rotation",
  background: null,
  tags: [],
  confidence: 1,
  priority: 5,
  pinned: false,
  source: "ai_inferred",
  host: "mcp",
  session: "s1",
  context: { branch: null, commits: [], files: [], symbols: [], language: null },
  label: null,
  path: null,
  hash: contentHash("JWT with refresh rotation"),
  version: 1,
  createdAt: 10,
  updatedAt: 10,
  accessedAt: 10,
  accessCount: 0,
  expiresAt: null,
  validFrom: null,
  validUntil: null,
  supersededBy: null,
  details: { space: "space" },
};

export const decisionItem = (
  id: string,
  from: number,
  until: number | null = null,
  more: Partial<Item> = {},
): Item => ({
  ...blank,
  id,
  validFrom: from,
  validUntil: until,
  ...more,
});

export const proposalItem = (id: string, more: Partial<Item> = {}): Item => ({
  ...blank,
  id,
  status: "pending",
  ...more,
});

export const byId = (...items: Item[]): Map<string, Item> => new Map(items.map((item) => [item.id, item]));
