/** Lists sessions with what each left and was handed. Reading them is no access. */
import type { SessionOutline } from "../../model/capture/session-outline.ts";
import type { Item, Status } from "../../model/memory/item.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { Store } from "../../ports/store/store.ts";
import type { Stores, World } from "../../ports/world.ts";

export interface SessionsRequest {
  /** Only this one, with its items. */
  session?: string | undefined;
  before: number;
  limit: number;
}

export interface ListedSessions {
  sessions: SessionOutline[];
  /** Only of one session. */
  captured: { item: Item; shelf: Shelf }[];
  injected: { item: Item; shelf: Shelf; at: number }[];
}

const CAPTURED: readonly Shelf[] = ["memory", "proposal", "evidence"];
const INJECTED: readonly Shelf[] = ["memory", "decision"];
const ANY_STATUS: readonly Status[] = ["active", "archived", "superseded", "pending", "ratified", "rejected"];
const ITEMS_MOST = 200;
const FOUND_AMONG = 10_000;

type SessionsWorld = Stores & Pick<World, "clock">;

export async function listSessions(request: SessionsRequest, world: SessionsWorld): Promise<ListedSessions> {
  const { session, before, limit } = request;
  const asked = { before, limit: session === undefined ? limit : FOUND_AMONG };
  const outlines = (
    await Promise.all([world.project, world.global].map((store) => store.sessionOutlines(asked)))
  ).flat();
  const joined = [...Map.groupBy(outlines, (outline) => outline.session).values()].map((own) => own.reduce(together));
  const sessions = joined.sort((one, two) => two.lastAt - one.lastAt || (one.session < two.session ? -1 : 1));
  if (session === undefined) return { sessions: sessions.slice(0, limit), captured: [], injected: [] };
  return {
    sessions: sessions.filter((one) => one.session === session),
    captured: await capturedIn(session, world),
    injected: await injectedIn(session, world),
  };
}

/** What two stores know of the same session. */
function together(one: SessionOutline, two: SessionOutline): SessionOutline {
  const ends = [one.endedAt, two.endedAt].filter((at) => at !== null);
  return {
    session: one.session,
    host: one.host || two.host,
    firstAt: Math.min(one.firstAt, two.firstAt),
    lastAt: Math.max(one.lastAt, two.lastAt),
    endedAt: ends.length > 0 ? Math.max(...ends) : null,
    memories: one.memories + two.memories,
    proposals: one.proposals + two.proposals,
    evidence: one.evidence + two.evidence,
    injected: one.injected + two.injected,
  };
}

async function capturedIn(
  session: string,
  { project, global, clock }: SessionsWorld,
): Promise<ListedSessions["captured"]> {
  const filter = { session, statuses: ANY_STATUS, now: clock.now() };
  const parts = [project, global].flatMap((store) =>
    CAPTURED.map(async (shelf) => {
      const { items } = await store.list(shelf, filter, { limit: ITEMS_MOST, offset: 0, countMost: 0 });
      return items.map((item) => ({ item, shelf }));
    }),
  );
  const found = (await Promise.all(parts)).flat();
  return found.sort((one, two) => one.item.createdAt - two.item.createdAt || (one.item.id < two.item.id ? -1 : 1));
}

/** Keys that are no ids stand for reports and texts. */
async function injectedIn(session: string, { project, global }: SessionsWorld): Promise<ListedSessions["injected"]> {
  const times = new Map((await project.injections(session)).map(({ key, at }) => [key, at]));
  const ids = [...times.keys()].slice(0, ITEMS_MOST);
  const read = (store: Store) =>
    INJECTED.map(async (shelf) =>
      (await store.items(shelf, ids)).map((item) => ({ item, shelf, at: times.get(item.id)! })),
    );
  const found = (await Promise.all([project, global].flatMap(read))).flat();
  return found.sort((one, two) => one.at - two.at || (one.item.id < two.item.id ? -1 : 1));
}
