/**
 * Job order: small jobs before large ones, each kind in order of arrival.
 *
 * The worker checks after every text, so a question waits for one text of a bulk job, not for all of them.
 */
const SMALL_TEXTS = 8;

interface Job {
  readonly texts: readonly string[];
}

export interface Lanes<T extends Job> {
  add(job: T): void;
  /** The current job; it stays first in its lane until removed. */
  first(): T | undefined;
  remove(job: T): void;
}

export function createLanes<T extends Job>(): Lanes<T> {
  const small = new Set<T>();
  const large = new Set<T>();
  return {
    add(job) {
      (job.texts.length <= SMALL_TEXTS ? small : large).add(job);
    },
    first() {
      const [job] = small.size > 0 ? small : large;
      return job;
    },
    remove(job) {
      small.delete(job);
      large.delete(job);
    },
  };
}
