/** The decisions in force that a proposal is near: a person sees them before anything is ratified. */
import { NEAR_LEAST, NEAR_MOST } from "../../logic/memory/nearness.ts";
import type { Near } from "../../model/memory/near.ts";
import type { World } from "../../ports/world.ts";
import { resolveIds } from "../memory/resolve-id.ts";
import { type FoundNear, type NearWorld, embedIfReady, findNear, nearTo } from "../memory/near.ts";
import { redactor } from "../redaction/redact.ts";

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

/** Nearest first: those about the same subject, and those that are near by their words or meaning. */
export async function nearestDecisions(
  { id, subject, decision, supersedes }: Proposed & { id: string },
  world: NearWorld,
): Promise<FoundNear[]> {
  const item = { id, shelf: "decision", content: decision, subject, scope: "project", except: supersedes } as const;
  const found = await nearTo(item, await embedIfReady(decision, world), world);
  return found
    .filter(({ nearness, isSameSubject }) => isSameSubject || nearness >= NEAR_LEAST)
    .sort((one, two) => two.nearness - one.nearness || (one.id < two.id ? -1 : 1))
    .slice(0, NEAR_MOST);
}
