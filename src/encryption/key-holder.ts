/**
 * A process that was unlocked holds the key for the others of the same user and data folder.
 *
 * Both sides prove themselves as for the model, by the same greeting in a meeting place of its own, and agree on the id of the key.
 * The key exists in memory only. When the holder ends, another process that has the key takes its place.
 */
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { greet } from "../embed/shared-model/client.ts";
import type { MeetingPlace } from "../embed/shared-model/meeting-place.ts";
import { malformed, toFrame } from "../embed/shared-model/messages.ts";
import { becomeOwner, type Ownership, serveProven, type TakeLock } from "../embed/shared-model/owner.ts";
import type { StoreKey } from "./store-key.ts";

const ANSWERED_MS = 1_000;
const LOOK_AGAIN_MS = 2_000;

interface Holding {
  /** Whether this process is the one that others ask. */
  isHolder(): boolean;
  release(): Promise<void>;
}

const aboutKey = (id: string) => ({ identity: `key ${id}`, dimensions: 0 });

/** Holds the key until it is released, or waits to take over from the process that does. */
export async function holdKey(
  { id, hex }: StoreKey,
  meeting: { place: MeetingPlace; lock: TakeLock },
): Promise<Holding> {
  const serve = (offer: Parameters<typeof serveProven>[0]) =>
    serveProven(offer, aboutKey(id), (socket) => ({ kind }) => {
      if (kind !== "request") throw malformed("out of turn");
      socket.end(toFrame("key", Buffer.from(hex, "hex")));
    });
  let held: Ownership | undefined;
  let isOver = false;
  const attempt = async () => {
    const became = await becomeOwner(serve, meeting);
    if (became !== null && became !== "taken") held = became;
    return became;
  };
  async function waitForTurn(): Promise<void> {
    while (!isOver && held === undefined) {
      await pause(LOOK_AGAIN_MS, undefined, { ref: false });
      if (!isOver && (await attempt()) === null) return;
    }
  }
  if ((await attempt()) === "taken") void waitForTurn();
  return {
    isHolder: () => held !== undefined,
    async release() {
      isOver = true;
      await held?.withdraw();
      held?.release();
    },
  };
}

/** Null if no process holds this key, or none answers. */
export async function keyFromHolder(id: string, place: MeetingPlace): Promise<Buffer | null> {
  const offer = place.read();
  if (offer === null) return null;
  const socket = connect(offer.socket);
  const { promise, resolve } = Promise.withResolvers<Buffer | null>();
  const timer = setTimeout(() => socket.destroy(), ANSWERED_MS);
  const greeted = greet(socket, offer.key, aboutKey(id));
  socket.once("close", () => resolve(null));
  try {
    if (!(await greeted.promise)) return null;
    greeted.handOver(({ kind, payload }) => {
      if (kind !== "key") throw malformed("out of turn");
      resolve(Buffer.from(payload));
    });
    socket.write(toFrame("request", Buffer.alloc(0)));
    return await promise;
  } finally {
    clearTimeout(timer);
    socket.destroy();
  }
}
