/**
 * Embeds a question, if that can be done in time.
 *
 * A repeated question needs no model: its vector is cached. A missing or loading model is no
 * error: the search then works without it, and the answer says so.
 */
import { cachedEmbedding, type Embedded, embedTexts } from "../embed/embed-texts.ts";
import { dequantise } from "../embed/quantise.ts";
import { toFailure } from "../errors.ts";
import { drain, type EmbeddedPassage } from "../maintenance/backfill.ts";
import { inTime } from "../maintenance/lease.ts";
import type { NearWorld } from "../memory/near.ts";
import { mayEmbed } from "../remote/provider.ts";
import { unknownShare } from "../text/wordpieces.ts";
import type { World } from "../world.ts";
import type { StoreShelf } from "./places.ts";
import type { VectorQuery } from "./search.ts";

const UNREADABLE_SHARE = 0.5;

interface EmbeddedQuestion {
  vector: VectorQuery | null;
  /** Why there is no vector. */
  problem: string | null;
}

export type EmbedQuestionWorld = Pick<
  World,
  "embedder" | "project" | "tokenizer" | "settings" | "afterwards" | "clock" | "origin" | "log"
>;

export async function embedQuestion(text: string, world: EmbedQuestionWorld): Promise<EmbeddedQuestion> {
  const { embedder, project } = world;
  if (embedder.dimensions === 0) return { vector: null, problem: "no embedder, searched by words only" };
  if (!(await isReadable(text, world)))
    return { vector: null, problem: "the model cannot read this question, searched by words only" };
  const found = ({ vector }: Embedded): EmbeddedQuestion => ({
    vector: { embedder: embedder.identity, vector: dequantise(vector) },
    problem: null,
  });
  const cached = await cachedEmbedding(text, project, world);
  if (cached) return found(cached);
  try {
    const embedded = await inTime(
      embedTexts([text], project, world).then(([first]) => first!),
      world.settings.recall.modelWaitMs,
    );
    if (!embedded) return { vector: null, problem: "the model is still loading, searched by words only" };
    if (!project.readOnly) world.afterwards.add("cache the question's vector", () => keep(embedded, world));
    return found(embedded);
  } catch (thrown) {
    return { vector: null, problem: `no embedding, searched by words only: ${toFailure(thrown).message}` };
  }
}

/** A script the model never learnt becomes unknown wordpieces, whose cosines mean nothing. */
async function isReadable(text: string, { tokenizer, log }: Pick<World, "tokenizer" | "log">): Promise<boolean> {
  const [pieces] = await tokenizer.encode([text]).catch((thrown: Error) => {
    log.warn(`wordpieces are missing: ${thrown.message}`);
    return [];
  });
  return !pieces || unknownShare(pieces) < UNREADABLE_SHARE;
}

async function keep(
  { hash, vector }: Embedded,
  { project, embedder, clock, origin }: Pick<World, "project" | "embedder" | "clock" | "origin">,
): Promise<void> {
  const entries = [{ hash, vector }];
  await project.apply([{ kind: "cache_vectors", embedder: embedder.identity, at: clock.now(), entries }], origin, {
    impatient: true,
  });
}

/**
 * Embeds passages that were just written, before they are searched.
 *
 * A long backlog is left to the server and to `backfill`: embedding its first part would delay every question and
 * hardly change an answer.
 */
const TIME_LIMIT_MS = 1_500;

export type EmbedWaitingWorld = NearWorld & Pick<World, "ids">;

/** Returns how many passages of these shelves are still pending. */
export async function embedWaiting(places: readonly StoreShelf[], world: EmbedWaitingWorld): Promise<number> {
  const { drainPassages: limit, modelWaitMs } = world.settings.recall;
  const stores = [...new Set(places.map(({ store }) => store))];
  const shelves = [...new Set(places.map(({ shelf }) => shelf))];
  const counts = await Promise.all(stores.map((store) => store.waitingCount(world.embedder.identity, shelves)));
  const waiting = counts.reduce((sum, count) => sum + count, 0);
  if (waiting === 0 || waiting > limit) return waiting;
  try {
    // Loading a cold model takes longer than embedding, so the time limit starts after it.
    const loading = world.embedder.load().then(() => true);
    if ((await inTime(loading, modelWaitMs)) === null) return waiting;
    const until = world.clock.now() + TIME_LIMIT_MS;
    const work = (async () => {
      let drained = 0;
      for (const store of stores) {
        const stored: EmbeddedPassage[] = [];
        drained += await drain(store, world, { limit, until, shelves, onStored: (batch) => stored.push(...batch) });
        if (stored.some(({ shelf }) => shelf === "memory"))
          await (await import("../memory/near.ts")).compareEmbedded(stored, store, world);
      }
      return drained;
    })();
    // A hanging worker must not block the answer.
    return waiting - ((await inTime(work, TIME_LIMIT_MS + modelWaitMs)) ?? 0);
  } catch (thrown) {
    world.log.debug(`embedding postponed: ${toFailure(thrown).message}`);
    return waiting;
  }
}

// Embeds a question with the remote embedder too, if there is one for everything that is searched.
//
// It takes part only once nothing waits for it: half of the vectors would favour what has one. Whatever fails, the local
// embedder answers alone, and the answer says so.

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
