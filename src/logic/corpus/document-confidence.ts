/**
 * Document confidence: decays by the hour while nobody reads the document, and grows a little with each access.
 *
 * It is computed from stored values, so reading it changes nothing.
 */
export const INITIAL_CONFIDENCE = 0.8;
const KEPT_EACH_HOUR = 0.995;
const LEAST = 0.1;
/** Each access multiplies the stored value by this, up to 1. */
export const ACCESS_BOOST = 1.03;
const HOUR_MS = 3_600_000;

/** Decays since the last access, or since the last update if there was none. */
export function fadedConfidence(confidence: number, since: number, now: number): number {
  // A clock that was set back must not raise confidence.
  const hours = Math.max(0, now - since) / HOUR_MS;
  return Math.max(LEAST, confidence * KEPT_EACH_HOUR ** hours);
}
