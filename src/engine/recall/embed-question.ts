/**
 * Embeds a question, if that can be done in time.
 *
 * A repeated question needs no model: its vector is cached. A missing or loading model is no
 * error: the search then works without it, and the answer says so.
 */
import { toFailure } from "../../errors.ts";
import { dequantise } from "../../logic/recall/quantise.ts";
import { unknownShare } from "../../logic/text/wordpiece.ts";
import type { VectorQuery } from "../../model/recall/search.ts";
import type { World } from "../../ports/world.ts";
import { type Embedded, cachedEmbedding, embedTexts } from "../text/embed.ts";
import { inTime } from "../care/in-time.ts";

const UNREADABLE_SHARE = 0.5;

export interface EmbeddedQuestion {
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
