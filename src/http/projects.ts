/**
 * Projects: the worlds that one server has open, each opened by its first request and closed when nobody asks.
 *
 * A project is named by a folder. Closing waits for what still runs, so a request never loses its store; and no more are
 * open than a process should hold.
 */
import type { Opened, Purpose } from "../catalog/dispatch.ts";
import { Failure } from "../errors.ts";
import { type LazyWorld, lazyWorld, type StartIdle } from "../mcp/lazy-world.ts";
import type { World } from "../world.ts";

export interface Projects {
  use<T>(folder: string, work: (world: World) => Promise<T>, purpose: Purpose): Promise<T>;
  /** Closes those that nobody has used for long. */
  sweep(): Promise<void>;
  readonly open: number;
  close(grace: Promise<unknown>): Promise<void>;
}

export interface ProjectsOptions {
  open(folder: string, purpose: Purpose): Promise<Opened>;
  idle?: StartIdle;
  clock: { now(): number };
  idleMs?: number;
  most?: number;
}

const IDLE_MS = 10 * 60_000;
const MOST_OPEN = 32;

interface Room {
  world: LazyWorld;
  running: number;
  usedAt: number;
}

export function createProjects({ open, idle, clock, idleMs = IDLE_MS, most = MOST_OPEN }: ProjectsOptions): Projects {
  const rooms = new Map<string, Room>();
  const closing = new Set<Promise<void>>();
  let isClosed = false;

  function roomOf(folder: string): Room {
    const known = rooms.get(folder);
    if (known !== undefined) return known;
    makePlace();
    const room: Room = { world: lazyWorld((purpose) => open(folder, purpose), idle), running: 0, usedAt: clock.now() };
    rooms.set(folder, room);
    return room;
  }

  function makePlace(): void {
    if (rooms.size < most) return;
    const [longest] = [...rooms].filter(([, { running }]) => running === 0).sort(([, a], [, b]) => a.usedAt - b.usedAt);
    if (longest === undefined) {
      throw new Failure("too_many", `${most} projects are in use at once.`, "Try again when one of them has finished.");
    }
    leave(...longest);
  }

  function leave(folder: string, { world }: Room): void {
    rooms.delete(folder);
    const done = world.close(Promise.resolve()).finally(() => closing.delete(done));
    closing.add(done);
  }

  return {
    async use(folder, work, purpose) {
      if (isClosed) throw new Failure("unavailable", "The server is closing.", "Start it again.");
      const room = roomOf(folder);
      room.running += 1;
      try {
        return await room.world.use(work, purpose);
      } finally {
        room.running -= 1;
        room.usedAt = clock.now();
      }
    },
    async sweep() {
      const latest = clock.now() - idleMs;
      for (const [folder, room] of [...rooms]) if (room.running === 0 && room.usedAt <= latest) leave(folder, room);
      await Promise.all(closing);
    },
    get open() {
      return rooms.size;
    },
    async close(grace) {
      isClosed = true;
      await Promise.all([...[...rooms.values()].map(({ world }) => world.close(grace)), ...closing]);
      rooms.clear();
    },
  };
}
