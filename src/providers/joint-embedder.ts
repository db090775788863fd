/**
 * One embedder for all who name the same key: the first to come makes it, the last to go closes it.
 *
 * Each user has a handle. A closed handle refuses work and rejects what it still waits for, as if the embedder were its
 * own; the others notice nothing.
 */
import { Failure } from "../errors.ts";
import type { Embedder } from "../ports.ts";

export function createJoint(create: (key: string) => Embedder): (key: string) => Embedder {
  const joint = new Map<string, { embedder: Embedder; users: number }>();

  function join(key: string): Embedder {
    const entry = joint.get(key) ?? { embedder: create(key), users: 0 };
    joint.set(key, entry);
    entry.users += 1;
    return handleOf(entry.embedder, async () => {
      entry.users -= 1;
      if (entry.users > 0) return;
      joint.delete(key);
      await entry.embedder.close();
    });
  }
  return join;
}

function handleOf(embedder: Embedder, leave: () => Promise<void>): Embedder {
  const closing = Promise.withResolvers<never>();
  closing.promise.catch(() => undefined); // whoever waits for something is told
  let left: Promise<void> | null = null;
  const unlessClosed = <T>(work: () => Promise<T>): Promise<T> =>
    left === null ? Promise.race([work(), closing.promise]) : closing.promise;

  return {
    identity: embedder.identity,
    dimensions: embedder.dimensions,
    state: () => (left === null ? embedder.state() : "absent"),
    load: () => unlessClosed(() => embedder.load()),
    embed: (texts) => unlessClosed(() => embedder.embed(texts)),
    close() {
      closing.reject(new Failure("unavailable", "The embedder is closed.", "Create a new one."));
      return (left ??= leave());
    },
  };
}
