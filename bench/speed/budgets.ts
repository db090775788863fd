/** Performance budgets for a machine with two cores. Measured here, never asserted in a test. */
import type { Budget, Row } from "./result.ts";

const atMost = (value: number): Budget => ({ is: "at most", value });
const atLeast = (value: number): Budget => ({ is: "at least", value });
const below = (value: number): Budget => ({ is: "below", value });

/** By the name of the measurement, and by the number of items if that matters. */
const BUDGETS: Record<string, Budget | Record<number, Budget>> = {
  "stele --help against bare node": atMost(1.5),
  "capture hook against bare node": atMost(1.5),
  "remember, package against bare node": atMost(3),
  "list, package against bare node": atMost(3),
  "get, package against bare node": atMost(3),
  "recall by words, package against bare node": atMost(4),
  "remember, checkout against bare node": atMost(6),
  "list, checkout against bare node": atMost(6),
  "get, checkout against bare node": atMost(6),
  "recall by words, checkout against bare node": atMost(8),
  "insert in bulk, words": atLeast(10_000),
  "insert one by one": { 10_000: atMost(1), 100_000: atMost(1) },
  "hybrid recall": { 10_000: atMost(4), 100_000: atMost(15), 1_000_000: atMost(60) },
  "hybrid recall, the sqlite-vec build against Stele": { 100_000: atLeast(5) },
  "memory of the idle server": atMost(90),
  "loading vectors in a new process": { 100_000: atMost(100) },
  "recall during a bulk embed, against idle": below(2),
  "recall of a new question during a bulk embed, against idle": below(2),
  "recall by meaning, package against bare node, a server running": atMost(5),
  "memory of server and model after use": atMost(220),
  "session start hook against bare node": atMost(3),
  "prompt hook, a server running, p95": atMost(300),
  "model processes of six servers": atMost(1),
  "page without the graph, gzipped": atMost(0.12),
  "first view of the page": { 100_000: below(1_000) },
  "recall during linking, against idle": below(2),
  "remember, Postgres against SQLite": { 10_000: atMost(10), 100_000: atMost(10) },
  "hybrid recall, Postgres against SQLite": { 10_000: atMost(3), 100_000: atMost(3) },
  "a write seen by another server": atMost(200),
  "edges that a memory leads to others, most": atMost(8),
  "first index, against the parser's own speed": atLeast(0.8),
  "checking an unchanged tree": { 10_000: atMost(1_000) },
};

export function withBudget(row: Row): Row {
  if (row.who !== "stele") return row;
  const found = BUDGETS[row.what];
  const budget = found !== undefined && "is" in found ? (found as Budget) : found?.[row.size ?? 0];
  return budget ? { ...row, budget } : row;
}
