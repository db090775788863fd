/** The decisions in force that a proposal is near: a person sees them before anything is ratified. */
import { inTime } from "../maintenance/lease.ts";
import type { Item } from "../memory/item.ts";
import type { Near } from "../memory/near-pair.ts";
import { embedIfReady, findNear, type FoundNear, nearTo, type NewItem } from "../memory/near.ts";
import { NEAR_LEAST, NEAR_MOST } from "../memory/nearness.ts";
import { resolveIds } from "../memory/resolve-id.ts";
import { embedWaiting, type EmbedWaitingWorld } from "../recall/embed-question.ts";
import { redactor } from "../redaction/redact.ts";
import type { ShownNear, World } from "../world.ts";

/** A person who ratifies sees more than what is near enough to be replaced. */
const SHOWN_LEAST = 0.2;

interface Proposed {
  subject: string;
  decision: string;
  supersedes: readonly string[];
}

export async function nearProposed(id: string, proposed: Proposed, world: World): Promise<Near[]> {
  if (world.settings.remember.compareMs === 0) return [];
  const { clean } = redactor();
  const except = await resolveIds(proposed.supersedes, "superseded", world);
  const content = clean(proposed.decision.trim());
  const item = {
    id,
    shelf: "proposal",
    content,
    subject: clean(proposed.subject.trim()),
    scope: "project",
    except,
  } as const;
  return findNear(item, embedIfReady(content, world), world);
}

/** A person thinks so long at most; later the model has its say again. */
const SHOWN_MS = 3_600_000;

/**
 * What was shown with a question is what is agreed to, even if the model is loaded meanwhile: it holds until the decisions
 * themselves change.
 */
export async function nearestDecisions(
  { id, subject, decision, supersedes }: Proposed & { id: string },
  world: EmbedWaitingWorld & Pick<World, "shownNear">,
): Promise<ShownNear["found"]> {
  const item = { id, shelf: "decision", content: decision, subject, scope: "project", except: supersedes } as const;
  const about = JSON.stringify([item, versionsOf((await nearTo(item, null, world)).map((one) => one.item))]);
  const now = world.clock.now();
  for (const [key, { at }] of world.shownNear) if (now - at > SHOWN_MS) world.shownNear.delete(key);
  const before = world.shownNear.get(id);
  if (before?.about === about && (await areUnchanged(before.found, world))) return before.found;
  const found = await nearestNow(item, world);
  world.shownNear.set(id, { at: now, about, found });
  return found;
}

const versionsOf = (items: readonly Item[]): string =>
  JSON.stringify(items.map(({ id, version, updatedAt }) => [id, version, updatedAt]).toSorted());

async function areUnchanged(found: ShownNear["found"], { project }: Pick<World, "project">): Promise<boolean> {
  const items = found.map(({ item }) => item);
  return (
    versionsOf(
      await project.items(
        "decision",
        items.map(({ id }) => id),
      ),
    ) === versionsOf(items)
  );
}

/**
 * Nearest first: all those about the same subject or near, by their words or meaning, and a few more. A person is about to read
 * them, so this waits for the model, and for what is not embedded yet.
 */
async function nearestNow(item: NewItem, world: EmbedWaitingWorld): Promise<FoundNear[]> {
  await embedWaiting([{ store: world.project, shelf: "decision" }], world);
  await inTime(
    world.embedder.load().catch(() => null),
    world.settings.recall.modelWaitMs,
  );
  const found = await nearTo(item, await embedIfReady(item.content, world), world);
  return found
    .filter(({ nearness, isSameSubject }) => isSameSubject || nearness >= SHOWN_LEAST)
    .sort((one, two) => two.nearness - one.nearness || (one.id < two.id ? -1 : 1))
    .filter(({ nearness, isSameSubject }, at) => at < NEAR_MOST || isSameSubject || nearness >= NEAR_LEAST);
}
