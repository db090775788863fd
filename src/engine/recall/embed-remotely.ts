/**
 * Embeds a question with the remote embedder too, if there is one for everything that is searched.
 *
 * It takes part only once nothing waits for it: half of the vectors would favour what has one. Whatever fails, the local
 * embedder answers alone, and the answer says so.
 */
import { toFailure } from "../../errors.ts";
import { mayEmbed } from "../../model/care/provider.ts";
import type { VectorQuery } from "../../model/recall/search.ts";
import type { World } from "../../ports/world.ts";
import { inTime } from "../care/in-time.ts";
import { type EmbedWaitingWorld, embedWaiting } from "./embed-waiting.ts";
import type { StoreShelf } from "./places.ts";

/** The local embedder could answer meanwhile. */
const LONGEST_WAIT_MS = 1_500;

interface RemoteQuestion {
  vector: VectorQuery | null;
  /** Why there is no vector, if there should be one. */
  problem: string | null;
}

export async function embedRemotely(
  text: string,
  places: readonly StoreShelf[],
  world: EmbedWaitingWorld & Pick<World, "remoteEmbedder">,
): Promise<RemoteQuestion> {
  const { remoteEmbedder: embedder, settings } = world;
  if (embedder === null || !places.every(({ shelf }) => mayEmbed(embedder.identity, shelf)))
    return { vector: null, problem: null };
  const waitMs = Math.min(settings.recall.modelWaitMs, LONGEST_WAIT_MS);
  const hurried = { ...settings, recall: { ...settings.recall, modelWaitMs: waitMs } };
  const waiting = await embedWaiting(places, { ...world, embedder, settings: hurried });
  if (waiting > 0) return without(`${waiting} passages wait for it: \`stele backfill\` embeds them`);
  try {
    const vector = await inTime(embedder.embedQuestion(text), waitMs);
    return vector ? { vector: { embedder: embedder.identity, vector }, problem: null } : without("it is too slow");
  } catch (thrown) {
    return without(toFailure(thrown).message);
  }
}

const without = (why: string): RemoteQuestion => ({
  vector: null,
  problem: `searched without the remote embedder (${why.replace(/\.$/, "")})`,
});
