/**
 * The vector of a question, if it can be had in time.
 *
 * A question asked before needs no model. A model that is missing or still loading is no
 * error: the answer is then made without it and says so.
 */
import { toFailure } from "../../errors.ts";
import { dequantise } from "../../logic/recall/quantise.ts";
import { unknownShare } from "../../logic/text/wordpiece.ts";
import type { World } from "../../ports/world.ts";
import { type Embedded, cachedEmbedding, embedTexts } from "../text/embed.ts";
import { inTime } from "../care/in-time.ts";

const UNREADABLE_SHARE = 0.5;

export interface QueryVector {
  vector: Float32Array | null;
  degraded: string | null;
}

export async function queryVector(query: string, world: World): Promise<QueryVector> {
  const { embedder, project } = world;
  if (embedder.dimensions === 0) return { vector: null, degraded: "no embedder, words only" };
  if (!(await isReadable(query, world))) return { vector: null, degraded: "the model cannot read this, words only" };
  const cached = await cachedEmbedding(query, project, world);
  if (cached) return { vector: dequantise(cached.vector), degraded: null };
  try {
    const embedded = await inTime(
      embedTexts([query], project, world).then(([first]) => first!),
      world.settings.recall.modelWaitMs,
    );
    if (!embedded) return { vector: null, degraded: "the model is still loading, words only" };
    if (!project.readOnly) world.afterwards.add("cache the question's vector", () => keep(embedded, world));
    return { vector: dequantise(embedded.vector), degraded: null };
  } catch (thrown) {
    return { vector: null, degraded: `no embedding, words only: ${toFailure(thrown).message}` };
  }
}

/** A script the model never learnt becomes unknown pieces, and their cosines mean nothing. */
async function isReadable(query: string, { tokenizer, log }: World): Promise<boolean> {
  const [pieces] = await tokenizer.encode([query]).catch((thrown: Error) => {
    log.warn(`wordpieces are missing: ${thrown.message}`);
    return [];
  });
  return !pieces || unknownShare(pieces) < UNREADABLE_SHARE;
}

async function keep({ hash, vector }: Embedded, { project, embedder, clock, origin }: World): Promise<void> {
  const entries = [{ hash, vector }];
  await project.apply([{ kind: "cache_vectors", embedder: embedder.identity, at: clock.now(), entries }], origin, {
    impatient: true,
  });
}
