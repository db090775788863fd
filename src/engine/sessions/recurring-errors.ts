/**
 * An error that comes back in three sessions on three days becomes a gotcha by itself: the line alone, quoted as what a
 * tool printed, with counts, and how it was last got over.
 *
 * A repository can print anything, so it is found by who asks and never handed to a session unasked. Whatever somebody did
 * to the memory since stands: changed, archived or erased, it is not made again.
 */
import { quoted } from "../../logic/context/lines/plain-line.ts";
import { planRemember } from "../../logic/memory/plan-remember.ts";
import { revising } from "../../logic/memory/item-changes.ts";
import { isPrinted } from "../../logic/sessions/errors.ts";
import { contentHash } from "../../logic/text/content-hash.ts";
import { derivedId } from "../../logic/text/derived-id.ts";
import { summaryOf } from "../../logic/text/summary.ts";
import type { RecurringError } from "../../model/sessions/card.ts";
import { dayIn } from "../../model/time/day-shown.ts";
import type { Zone } from "../../model/time/zone.ts";
import type { World } from "../../ports/world.ts";
import { passagesOf } from "../text/passages.ts";

const LEAST = { sessions: 3, days: 3 };
const ERRORS_MOST = 50;
const ROUTE = { scope: "project", reason: "seen in several sessions", confidence: 1, by: "caller" } as const;

/** Returns the ids of new memories. */
export async function keepRecurringErrors(world: World): Promise<string[]> {
  const { project } = world;
  if (project.readOnly) return [];
  const made: string[] = [];
  for (const error of await project.recurringErrors(LEAST, ERRORS_MOST)) {
    const id = await keepError(error, world);
    if (id !== null) made.push(id);
  }
  return made;
}

async function keepError(error: RecurringError, world: World): Promise<string | null> {
  const { project, clock, origin, place } = world;
  const id = derivedId([place.spaceId, "error", error.key], 0);
  const content = contentOf(error, world.zone);
  const now = clock.now();
  const [known] = await project.items("memory", [id]);
  if (known) {
    // An edited one no longer says what was made here.
    if (known.status !== "active" || !isPrinted(known) || known.content === content) return null;
    const hash = contentHash(content);
    const set = {
      content,
      summary: summaryOf(content),
      hash,
      details: { ...known.details, made: hash },
      updatedAt: now,
    };
    const passages = await passagesOf({ content }, world);
    await project.apply([{ ...revising("memory", known, set), passages, embed: true }], origin);
    return null;
  }
  // It was erased.
  if ((await project.journaledIds(id, 1)).length > 0) return null;
  const draft = {
    ...({ type: "gotcha", content, hash: contentHash(content), source: "extraction", confidence: 0.6 } as const),
    context: { branch: null, commits: [], files: [], symbols: [], language: null },
  };
  const { changes } = planRemember(draft, {
    ...{ id, now, origin: { ...origin, session: error.session }, spaceId: place.spaceId, route: ROUTE },
    ...{
      workingTtlSeconds: 0,
      duplicate: null,
      predecessor: null,
      leaving: [],
      passages: await passagesOf(draft, world),
    },
  });
  const marked = changes.map((change) =>
    change.kind === "insert_item"
      ? {
          ...change,
          item: { ...change.item, createdAt: error.at, details: { ...change.item.details, made: draft.hash } },
        }
      : change,
  );
  const { status } = await project.apply(marked, origin);
  return status === "applied" ? id : null;
}

function contentOf({ line, sessions, days, at, changed }: RecurringError, zone: Zone): string {
  const seen = `A tool printed in ${sessions} sessions on ${days} days, last on ${dayIn(at, zone)}: ${quoted(line)}`;
  return changed === null ? `${seen}. It was not got over in any of them.` : `${seen}. Last got over by: ${changed}.`;
}
