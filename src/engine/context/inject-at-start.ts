/**
 * What a session is handed when it starts: the surface.
 *
 * A conversation that goes on still has what it was given; after a compaction it is handed over again. Being handed over
 * is not being read: no access is recorded.
 */
import type { World } from "../../ports/world.ts";
import { surface } from "./surface.ts";

/** How a session began, and what that leaves of what it was given; a host that says nothing starts a new one. */
const KEEPS_CONTEXT: readonly (string | null)[] = ["resume", "fork"];

/** Null if there is nothing to hand over, or nobody waits for it any more. */
export async function contextAtStart(
  { session, source, isLate }: { session: string; source: string | null; isLate: () => boolean },
  world: World,
): Promise<string | null> {
  const { project, clock, origin } = world;
  if (project.readOnly) return null;
  // The conversation that is continued still has what it was given; a copy of it has it too, under another name.
  const isContinued = KEEPS_CONTEXT.includes(source);
  if (source === "fork" || (isContinued && (await project.injectedIn(session)).size > 0)) return null;
  const { text, items } = await surface(world);
  const keys = items.map(({ id }) => id);
  if (isLate()) return null;
  await project.apply(
    [
      ...(isContinued ? [] : [{ kind: "clear_injected" as const, session }]),
      ...(keys.length > 0 ? [{ kind: "note_injected" as const, session, keys, at: clock.now() }] : []),
    ],
    origin,
    { impatient: true },
  );
  return keys.length === 0 ? null : text;
}
