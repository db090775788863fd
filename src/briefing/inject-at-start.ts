/**
 * What a session is handed when it starts: the surface.
 *
 * A conversation that goes on still has what it was given; after a compaction it is handed over again. A hook that two
 * settings load answers once. Being handed over is not being read: no access is recorded.
 */
import type { Change } from "../journal/change.ts";
import type { Handover } from "../sessions/card.ts";
import type { World } from "../world.ts";
import { isNudge } from "./hook-answer.ts";
import { surface } from "./surface.ts";

/** How a session began, and what that leaves of what it was given; a host that says nothing starts a new one. */
const KEEPS_CONTEXT: readonly (string | null)[] = ["resume", "fork"];

interface StartRequest {
  /** The id of the report, the same however often a start is reported. */
  report: string;
  session: string;
  source: string | null;
  /** Whether nobody waits for it any more. */
  isLate(): boolean;
}

/** Null if there is nothing to hand over, it was handed over already, or it comes too late. */
export async function contextAtStart(
  { report, session, source, isLate }: StartRequest,
  world: World,
): Promise<string | null> {
  const { project, clock, origin } = world;
  if (project.readOnly) return null;
  // The conversation that is continued still has what it was given; a copy of it has it too, under another name.
  const isContinued = KEEPS_CONTEXT.includes(source);
  const given = await project.injectedIn(session);
  if (source === "fork" || (isContinued && given.size > 0)) return null;
  const { text, tokens, items, told } = await surface(world);
  if (isLate()) return null;
  const noting = (keys: string[]) => ({ kind: "note_injected", session, keys, at: clock.now() }) as const;
  // The agent is told to keep something once a session, whatever it has forgotten.
  const clearing: Change[] = isContinued
    ? []
    : [{ kind: "clear_injected", session }, noting([...given].filter(isNudge))];
  const ids = items.map(({ id }) => id);
  const handover: Handover = {
    id: report,
    session,
    event: "start",
    at: clock.now(),
    text,
    tokens,
    sources: [...told.sources, ...ids],
    files: told.files,
    use: null,
  };
  const changes: Change[] =
    text === ""
      ? clearing
      : [
          { ...noting([report]), isFirst: true },
          ...clearing,
          noting([report, ...ids, ...told.notes]),
          { kind: "note_handover", handover },
        ];
  const { status } = await project.apply(changes, origin, { impatient: true });
  return text === "" || status !== "applied" ? null : text;
}
