/**
 * Knows, without asking, whether what was read is still current: writers tell what they change, and a listener hears it.
 *
 * While nobody listens, nothing is known, and everybody asks each time.
 */
import type { Shelf } from "../../../model/memory/shelves.ts";
import { type ListenOptions, keepListening } from "./listener.ts";

/** What a transaction may change, as far as somebody keeps it. */
export type Topic = `${"passages" | "vectors"} ${Shelf}` | "queue" | "cached vectors";

export interface Freshness {
  /** Keeps what was read until somebody changes one of the topics; reads each time while nobody would say so. */
  kept<T>(topics: readonly Topic[], read: () => Promise<T>): () => Promise<T>;
  /** Called after own transactions. */
  changed(topics: Iterable<Topic>): void;
  listen(): void;
  close(): void;
}

export type FreshnessOptions = Pick<ListenOptions, "connect" | "channel" | "patienceMs">;

export function freshnessOn(options: FreshnessOptions): Freshness {
  const changes = new Map<string, number>();
  const over = new AbortController();
  /** Grows with every connection: whatever was read before may have changed unnoticed. */
  let connections = 0;
  let isListening = false;

  function changed(topics: Iterable<string>): void {
    for (const topic of topics) changes.set(topic, (changes.get(topic) ?? 0) + 1);
  }

  function onListening(isIt: boolean): void {
    isListening = isIt;
    if (isIt) connections += 1;
  }

  const stampOf = (topics: readonly Topic[]): string | null =>
    isListening ? [connections, ...topics.map((topic) => changes.get(topic) ?? 0)].join(" ") : null;

  return {
    kept(topics, read) {
      let known: { stamp: string; answer: ReturnType<typeof read> } | null = null;
      return () => {
        const stamp = stampOf(topics);
        if (stamp === null) return read();
        if (known?.stamp === stamp) return known.answer;
        const now = (known = { stamp, answer: read() });
        now.answer.catch(() => (known = known === now ? null : known));
        return now.answer;
      };
    },
    changed,
    listen() {
      const onMessage = (text: string) => changed(text.split("\n"));
      void keepListening({ ...options, onMessage, onListening, signal: over.signal });
    },
    close: () => over.abort(),
  };
}
