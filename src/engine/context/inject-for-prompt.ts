/**
 * What a session is handed with a prompt: what recall finds for it, if that is worth it, and nothing twice.
 *
 * Being handed over is not being read: no access is recorded.
 */
import { type Injectable, questionIn, worthInjecting } from "../../logic/context/injection.ts";
import { type Recalled, recalledBlock } from "../../logic/context/recalled-block.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Hit } from "../../model/recall/hit.ts";
import type { World } from "../../ports/world.ts";
import { statisticsFor } from "../recall/explain.ts";
import { filledPlaces, searchPlaces } from "../recall/places.ts";
import { recall } from "../recall/recall.ts";

/** What only waits for a person is not put before an agent that has not asked. */
const SHELVES = ["memory", "decision"] as const;
const HITS = 10;

export interface PromptRequest {
  session: string;
  prompt: string;
  mostTokens: number;
  /** Whether nobody waits for it any more. */
  isLate(): boolean;
}

/** Null if nothing is worth it, or it comes too late. */
export async function contextForPrompt(
  { session, prompt, mostTokens, isLate }: PromptRequest,
  world: World,
): Promise<string | null> {
  const { project, clock, origin, zone } = world;
  const question = questionIn(prompt);
  if (question === null || project.readOnly) return null;
  const { query, stems } = question;
  const request = { query, mode: "hybrid", limit: HITS, threshold: 0, shelves: SHELVES, quiet: true } as const;
  const { mode, hits } = await recall(request, world);
  // What opposes a decision that holds would only confuse.
  const sound = await recalledOf(hits.filter(({ contradicts }) => contradicts.length === 0), world); // prettier-ignore
  if (sound.length === 0) return null;
  const statistics = await statisticsFor(await filledPlaces(searchPlaces(SHELVES, {}, world)), stems);
  const worth = worthInjecting(sound, question, { statistics, byMeaning: mode === "hybrid" });
  const given = worth.length === 0 ? new Set<string>() : await project.injectedIn(session);
  const block = recalledBlock(worth.filter(({ id }) => !given.has(id)), mostTokens, zone); // prettier-ignore
  if (block === null || isLate()) return null;
  const keys = block.shown.map(({ id }) => id);
  const noting = { kind: "note_injected", session, keys, at: clock.now(), isFirst: true } as const;
  const { status } = await project.apply([noting], origin, { impatient: true });
  return status === "applied" ? block.text : null;
}

type RecalledItem = Recalled & Injectable & { id: string };

async function recalledOf(hits: readonly Hit[], world: Pick<World, "project" | "global">): Promise<RecalledItem[]> {
  const items = await Promise.all(hits.map((hit) => itemOf(hit, world)));
  return hits.flatMap(({ id, handle, title, content, tags, relevance, stale }, index) => {
    const item = items[index];
    if (!item) return [];
    const { type, source, createdAt } = item;
    const capturedIn = source === "extraction" ? item.session : null;
    return [{ id, handle, type, title, content, tags, relevance, source, createdAt, stale, capturedIn }];
  });
}

async function itemOf(
  { id, shelf, scope }: Hit,
  { project, global }: Pick<World, "project" | "global">,
): Promise<Item | undefined> {
  const [item] = await (scope === "global" ? global : project).items(shelf, [id]);
  return item;
}
