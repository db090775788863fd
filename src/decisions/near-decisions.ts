/** The decisions in force that a proposal is near: a person sees them before anything is ratified. */
import { inTime } from "../maintenance/lease.ts";
import type { Near } from "../memory/near-pair.ts";
import { embedIfReady, findNear, type FoundNear, nearTo } from "../memory/near.ts";
import { NEAR_LEAST, NEAR_MOST } from "../memory/nearness.ts";
import { resolveIds } from "../memory/resolve-id.ts";
import { embedWaiting, type EmbedWaitingWorld } from "../recall/embed-question.ts";
import { redactor } from "../redaction/redact.ts";
import type { World } from "../world.ts";

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

/**
 * Nearest first: all those about the same subject or near, by their words or meaning, and a few more. A person is about to read
 * them, so this waits for the model, and for what is not embedded yet.
 */
export async function nearestDecisions(
  { id, subject, decision, supersedes }: Proposed & { id: string },
  world: EmbedWaitingWorld,
): Promise<FoundNear[]> {
  const item = { id, shelf: "decision", content: decision, subject, scope: "project", except: supersedes } as const;
  await embedWaiting([{ store: world.project, shelf: "decision" }], world);
  await inTime(world.embedder.load().catch(() => null), world.settings.recall.modelWaitMs); // prettier-ignore
  const found = await nearTo(item, await embedIfReady(decision, world), world);
  return found
    .filter(({ nearness, isSameSubject }) => isSameSubject || nearness >= SHOWN_LEAST)
    .sort((one, two) => two.nearness - one.nearness || (one.id < two.id ? -1 : 1))
    .filter(({ nearness, isSameSubject }, at) => at < NEAR_MOST || isSameSubject || nearness >= NEAR_LEAST);
}
