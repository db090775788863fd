/**
 * Job order: small jobs before large ones, each kind in order of arrival.
 *
 * The worker checks after every text, so a question waits for one text of a bulk job, not for all of them. However many
 * questions arrive, every few texts one of a large job has its turn: the questions of many clients never stop it.
 */
const SMALL_TEXTS = 8;
const SMALL_IN_A_ROW = 8;

interface Job {
  readonly texts: readonly string[];
}

interface Lanes<T extends Job> {
  add(job: T): void;
  /** The job whose text is next; it stays in its lane until removed. */
  next(): T | undefined;
  remove(job: T): void;
}

export const isSmall = (texts: readonly string[]): boolean => texts.length <= SMALL_TEXTS;

export function createLanes<T extends Job>(): Lanes<T> {
  const small = new Set<T>();
  const large = new Set<T>();
  /** Texts of small jobs since one of a large job was due. */
  let inARow = 0;
  return {
    add(job) {
      (isSmall(job.texts) ? small : large).add(job);
    },
    next() {
      const isLargeDue = large.size > 0 && inARow >= SMALL_IN_A_ROW;
      const lane = small.size > 0 && !isLargeDue ? small : large;
      inARow = lane === small && large.size > 0 ? inARow + 1 : 0;
      const [job] = lane;
      return job;
    },
    remove(job) {
      small.delete(job);
      large.delete(job);
    },
  };
}
