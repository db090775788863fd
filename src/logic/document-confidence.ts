/**
 * Confidence of documents: it fades by the hour while nobody looks, and grows a little with each look.
 *
 * It is computed from what is stored, so looking at it changes nothing.
 */
import type { Item } from "../model/item.ts";

export const BIRTH_CONFIDENCE = 0.8;
const KEPT_EACH_HOUR = 0.995;
const LEAST = 0.1;
/** Each look multiplies what is stored by this, up to 1. */
export const GROWTH = 1.03;
const PRUNED_AT_MOST = 0.15;
const HOUR_MS = 3_600_000;
const PRUNED_AFTER_MS = 30 * 24 * HOUR_MS;

type Known = Pick<Item, "confidence" | "accessCount" | "accessedAt" | "updatedAt">;

/** It fades from the last access; from the last update where there was none. */
const fadesSince = ({ accessCount, accessedAt, updatedAt }: Known): number =>
  accessCount > 0 ? accessedAt : updatedAt;

export function fadedConfidence(confidence: number, since: number, now: number): number {
  // A clock that was set back makes nothing more certain.
  const hours = Math.max(0, now - since) / HOUR_MS;
  return Math.max(LEAST, confidence * KEPT_EACH_HOUR ** hours);
}

export function grownConfidence(confidence: number): number {
  return Math.min(1, confidence * GROWTH);
}

/** Faded, never looked at, and old. */
export function isPrunable(document: Known, now: number): boolean {
  return (
    document.accessCount === 0 &&
    now - document.updatedAt > PRUNED_AFTER_MS &&
    fadedConfidence(document.confidence, fadesSince(document), now) <= PRUNED_AT_MOST
  );
}
