/**
 * A preference captured in two projects is the person's, not the project's: it becomes global.
 *
 * The global store notes a fingerprint of its words for each project; the words themselves stay in the project until
 * they are shared.
 */
import { contentHash } from "../../logic/text/content-hash.ts";
import { tellingStems } from "../../logic/text/words.ts";
import type { Item } from "../../model/memory/item.ts";
import type { SessionRecord } from "../../model/capture/session-record.ts";
import type { World } from "../../ports/world.ts";
import { promote } from "../memory/promote.ts";

/** Enough to see that there is another project. */
const READ_MOST = 10;

export async function sharePreferences(items: readonly Item[], world: World): Promise<void> {
  if (world.global.readOnly) return;
  for (const { id, type, content } of items) {
    if (type !== "preference") continue;
    const session = `preference ${contentHash([...tellingStems(content)].sort().join(" "))}`;
    const { spaceId } = world.place;
    const event: SessionRecord = {
      ...{ id: contentHash(`${session} ${spaceId}`).slice(0, 32), kind: "user_feedback", session, turn: null },
      ...{ at: world.clock.now(), payload: { space: spaceId } },
    };
    await world.global.apply([{ kind: "note_event", event }], world.origin); // a conflict: noted before
    const noted = await world.global.events({ session, limit: READ_MOST });
    if (noted.some(({ payload }) => payload["space"] !== spaceId)) await promote(id, "global", world);
  }
}
