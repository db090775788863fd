/**
 * One shared embedder per key: the first user creates it, the last one closes it.
 *
 * Each user has a handle. A closed handle refuses work and rejects its pending requests, as if the embedder were its
 * own; other users are not affected.
 */
import { Failure } from "../../errors.ts";
import type { Embedder } from "../../ports/embedder.ts";

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
  const closed = () => new Failure("unavailable", "The embedder is closed.", "Create a new one.");
  const pending = new Set<(failure: Failure) => void>();
  let left: Promise<void> | null = null;

  async function unlessClosed<T>(work: () => Promise<T>): Promise<T> {
    if (left !== null) throw closed();
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    pending.add(reject);
    work().then(resolve, reject);
    try {
      return await promise;
    } finally {
      pending.delete(reject);
    }
  }

  return {
    identity: embedder.identity,
    dimensions: embedder.dimensions,
    state: () => (left === null ? embedder.state() : "absent"),
    load: () => unlessClosed(() => embedder.load()),
    embed: (texts) => unlessClosed(() => embedder.embed(texts)),
    close() {
      left ??= leave();
      for (const reject of pending) reject(closed());
      return left;
    },
  };
}
