/**
 * Becoming the one process that offers a model or a key, by a lock that the system releases however its holder ends.
 *
 * The socket listens before the note names it, and both are removed before the lock is released. A process that ends
 * without closing removes them too; what a killed one leaves is removed by the next owner.
 */
import type { MeetingPlace, Offer } from "./meeting-place.ts";
import type { Serving } from "./owner.ts";

export interface Lock {
  release(): void;
}

/** Null while another process holds the lock of this file. */
export type TakeLock = (path: string) => Lock | null;

export interface Ownership {
  /** Ends the offer. The lock is still held: the model may still be loaded. */
  withdraw(): Promise<void>;
  release(): void;
}

export type Serve = (offer: Offer) => Promise<Serving>;

/** "taken" if another process is the owner; null if nothing can be offered here. */
export async function becomeOwner(
  serve: Serve,
  { place, lock }: { place: MeetingPlace; lock: TakeLock },
): Promise<Ownership | "taken" | null> {
  const held = take(place, lock);
  if (held === null || held === "taken") return held;
  const release = () => held.release();
  // A full disk, a forbidden socket: the model serves this process alone.
  const published = await publish(serve, place).catch(() => null);
  if (published === null) release();
  return published && { ...published, release };
}

/** Whether an owner is running. The note of one that was killed says nothing; the lock does. */
export function isOffered(place: MeetingPlace, lock: TakeLock): boolean {
  if (place.read() === null) return false;
  const held = take(place, lock);
  if (held === null || held === "taken") return held === "taken";
  held.release();
  return false;
}

function take(place: MeetingPlace, lock: TakeLock): Lock | "taken" | null {
  try {
    const file = place.lockFile();
    return file === null ? null : (lock(file) ?? "taken");
  } catch {
    // A data folder that cannot be written to is no reason to fail.
    return null;
  }
}

async function publish(serve: Serve, place: MeetingPlace): Promise<Pick<Ownership, "withdraw"> | null> {
  const offer = place.prepare();
  if (offer === null) return null;
  const leave = () => place.withdraw(offer);
  const serving = await serve(offer);
  try {
    place.publish(offer);
  } catch (thrown) {
    await serving.close();
    throw thrown;
  }
  process.once("exit", leave);
  return {
    async withdraw() {
      process.removeListener("exit", leave);
      leave();
      await serving.close();
    },
  };
}
