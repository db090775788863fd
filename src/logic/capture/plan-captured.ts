/** What becomes of a captured memory, given older ones that resemble it. */
import type { Item } from "../../model/memory/item.ts";
import type { Similar } from "../../model/memory/similar.ts";

export type Outcome =
  /** Said before, or overtaken by something that was said later: sessions may be read in any order. */
  | { status: "known"; id: string }
  /** An earlier stretch said something else about it. */
  | { status: "supersedes"; predecessor: Item }
  | { status: "new" };

/** What a person or an agent wrote is never replaced by a guess: only what was captured before is. */
export function outcomeOf(
  similar: readonly Similar[],
  storedAs: (id: string) => Item | undefined,
  { saidAt, session }: { saidAt: number; session: string },
): Outcome {
  const memories = similar.filter(({ shelf }) => shelf === "memory");
  const repeated = memories.find(({ kind }) => kind === "repeats");
  if (repeated) return { status: "known", id: repeated.id };
  for (const { id, kind } of memories) {
    const stored = storedAs(id);
    const differs = kind === "updates" || kind === "contradicts";
    // Within a session, a cause and its fix look like two values of one thing.
    const isReplaced = stored?.source === "extraction" && !stored.pinned && stored.session !== session;
    if (!differs || !isReplaced) continue;
    return stored.createdAt > saidAt ? { status: "known", id } : { status: "supersedes", predecessor: stored };
  }
  return { status: "new" };
}
