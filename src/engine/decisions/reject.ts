/** Rejects a proposal, which is kept with the reason. */
import { planReject } from "../../logic/decisions/plan-ratify.ts";
import type { LookupWorld, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { findProposal } from "./propose.ts";
import { redactor } from "../redaction/redact.ts";
import { refusalFailure } from "./refusal.ts";
import { resolveId } from "../memory/resolve-id.ts";

export interface Rejected {
  status: "rejected";
  id: string;
}

export async function reject(
  typed: string,
  reason: string,
  world: LookupWorld & Pick<World, "origin" | "zone">,
): Promise<Rejected> {
  const id = await resolveId(typed, "proposal", world);
  const clean = redactor().clean(reason);
  return commit<Rejected>(
    world.project,
    async () => {
      const proposal = await findProposal(id, world);
      const { host, session } = world.origin;
      const planned = planReject(proposal, clean, { by: `session ${session}`, how: host, at: world.clock.now() });
      if ("refusal" in planned) throw refusalFailure(planned.refusal, id, world.zone);
      return planned;
    },
    world,
  );
}
