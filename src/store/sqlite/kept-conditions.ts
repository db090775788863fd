/**
 * Conditions of sound stores, kept while nobody writes to them.
 *
 * Checking a store of 100,000 memories takes seconds. A server is asked for the same state again and again, and by several
 * at once: they share one check, which runs in a thread. A disk may fail without a write, so nothing is kept for long, and
 * what is wrong may pass, so it is looked at again.
 */
import { statSync } from "node:fs";
import type { StoreKey } from "../../encryption/store-key.ts";
import type { Condition } from "../../maintenance/finding.ts";
import { examineStore } from "./examine.ts";

const KEPT_MS = 600_000;

export type ExamineStore = (path: string, key: StoreKey | null) => Promise<Condition>;

export function keptConditions(now: () => number): ExamineStore {
  const kept = new Map<string, { stamp: string; at: number; condition: Promise<Condition> }>();
  return (path, key) => {
    const stamp = [path, `${path}-wal`].map(stampOf).join() + (key?.id ?? "");
    const known = kept.get(path);
    if (known?.stamp === stamp && now() - known.at < KEPT_MS) return known.condition;
    const condition = examineStore(path, key, { inThread: true });
    const own = { stamp, at: now(), condition };
    kept.set(path, own);
    const drop = () => void (kept.get(path) === own && kept.delete(path));
    condition.then(({ state }) => state === "sound" || drop(), drop);
    return condition;
  };
}

function stampOf(path: string): string {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
    // Reading a store may make an empty log beside it.
    return size === 0n ? "" : [dev, ino, size, mtimeNs, ctimeNs].join(" ");
  } catch {
    return "";
  }
}
