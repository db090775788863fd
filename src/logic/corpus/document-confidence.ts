/**
 * Confidence of documents: it fades by the hour while nobody looks, and grows a little with each look.
 *
 * It is computed from what is stored, so looking at it changes nothing.
 */
export const BIRTH_CONFIDENCE = 0.8;
const KEPT_EACH_HOUR = 0.995;
const LEAST = 0.1;
/** Each look multiplies what is stored by this, up to 1. */
export const GROWTH = 1.03;
const HOUR_MS = 3_600_000;

/** It fades from the last access; from the last update where there was none. */
export function fadedConfidence(confidence: number, since: number, now: number): number {
  // A clock that was set back makes nothing more certain.
  const hours = Math.max(0, now - since) / HOUR_MS;
  return Math.max(LEAST, confidence * KEPT_EACH_HOUR ** hours);
}
