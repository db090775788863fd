/**
 * Lets work in several steps go first, such as an erasure: meanwhile, writers of other processes wait.
 *
 * A lock cannot do that: SQLite takes its own for each step, and between two of them sixteen writers compete for file and
 * processor. A mark beside the file is only a request. Nobody waits long for one, so that a process that died holding it
 * delays a write and loses none; whoever cannot make one goes on without.
 */
import { lstatSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

export interface RightOfWay {
  /** Waits while another process goes first; answers at once if none does. */
  giveWay(): Promise<void>;
  goFirst<T>(work: () => Promise<T>): Promise<T>;
}

/** Longer than most erasures take, and no longer than a writer waits for a lock. */
const MOST_MS = 5_000;
const LOOK_AGAIN_MS = 25;

/** How often this process goes first, by the path of the mark; its own writes do not wait for it. */
const own = new Map<string, number>();

export const markOf = (path: string): string => `${path}-first`;

export function rightOfWay(path: string): RightOfWay {
  const mark = markOf(path);

  async function giveWay(): Promise<void> {
    const first = currentMark(mark);
    // One mark may follow another; those who have waited for one take their turn.
    while (first !== null && currentMark(mark) === first) await sleep(LOOK_AGAIN_MS * (0.5 + Math.random()));
  }

  return {
    giveWay,
    async goFirst(work) {
      await giveWay();
      const isLeft = !own.has(mark) && leaveMark(mark);
      own.set(mark, (own.get(mark) ?? 0) + 1);
      try {
        return await work();
      } finally {
        if (isLeft) removeMark(mark);
        const others = own.get(mark)! - 1;
        if (others > 0) own.set(mark, others);
        else own.delete(mark);
      }
    },
  };
}

/** Tells one mark from the next; null if there is none that counts. */
function currentMark(mark: string): string | null {
  if (own.has(mark)) return null;
  const found = lstatSync(mark, { throwIfNoEntry: false });
  if (!found) return null;
  // Also one from the future: somebody set the clock.
  if (Math.abs(Date.now() - found.mtimeMs) <= MOST_MS) return `${found.ino} ${found.mtimeMs}`;
  removeMark(mark);
  return null;
}

const leaveMark = (mark: string): boolean => isAllowed(() => writeFileSync(mark, "", { flag: "wx", mode: 0o600 }));

const removeMark = (mark: string): boolean => isAllowed(() => rmSync(mark, { force: true }));

/** Not on a full disk, nor where another process has left a mark or a person a folder. */
function isAllowed(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (thrown) {
    if (thrown instanceof Error && "code" in thrown) return false;
    throw thrown;
  }
}
