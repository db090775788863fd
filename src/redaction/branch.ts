/** The name of the branch that is checked out, without secrets: people put tokens even there. */
import type { World } from "../world.ts";

/** Shorter names, and words alone, hold no secret; for them the rules need not be loaded. */
const MAY_HOLD_SECRET = /(?=[\w+/=.-]{0,64}\d)[\w+/=.-]{16}|[=:@]/;

export async function branchOf({ place }: Pick<World, "place">): Promise<string | null> {
  const branch = place.branch();
  if (branch === null || !MAY_HOLD_SECRET.test(branch)) return branch;
  const { redact } = await import("./rules/redaction.ts");
  return redact(branch).text;
}
