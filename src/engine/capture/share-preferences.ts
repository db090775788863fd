/**
 * A preference captured in two projects is the person's, not the project's: it becomes global.
 *
 * The global store notes a fingerprint of its words for each project; the words themselves stay in the project until
 * they are shared.
 */
import { statedScope } from "../../logic/memory/scope/stated-scope.ts";
import { contentHash } from "../../logic/text/content-hash.ts";
import { tellingStems } from "../../logic/text/words.ts";
import { PREFERENCE_NOTE } from "../../model/capture/session-outline.ts";
import type { Item } from "../../model/memory/item.ts";
import type { SessionRecord } from "../../model/capture/session-record.ts";
import type { World } from "../../ports/world.ts";
import { promote } from "../memory/promote.ts";

/** Enough to see that there is another project. */
const READ_MOST = 10;

/** What cannot be shared now stays in its project; the capture itself is written already. */
export async function sharePreferences(items: readonly Item[], said: string, world: World): Promise<void> {
  const preferences = items.filter(({ type }) => type === "preference");
  if (world.global.readOnly || preferences.length === 0) return;
  for (const preference of preferences)
    await share(preference, said, world).catch((thrown: Error) =>
      world.log.warn(`a preference was not shared with other projects: ${thrown.message}`),
    );
}

async function share({ id, content }: Item, said: string, world: World): Promise<void> {
  // "In this repository": said of one project, however often.
  if (statedScope(content)?.scope === "project") return;
  const session = `${PREFERENCE_NOTE}${contentHash([...tellingStems(content)].sort().join(" "))}`;
  const { spaceId } = world.place;
  const event: SessionRecord = {
    ...{ id: contentHash(`${session} ${spaceId}`).slice(0, 32), kind: "user_feedback", session, turn: null },
    ...{ at: world.clock.now(), payload: { space: spaceId, session: contentHash(said) } },
  };
  await world.global.apply([{ kind: "note_event", event }], world.origin); // a conflict: noted before
  const noted = await world.global.events({ session, limit: READ_MOST });
  // The same session read in two projects says it only once.
  const isElsewhere = ({ payload }: SessionRecord) =>
    payload["space"] !== spaceId && payload["session"] !== event.payload["session"];
  // A dry run wrote nothing that could be moved.
  const isThere = (await world.project.items("memory", [id])).length > 0;
  if (isThere && noted.some(isElsewhere)) await promote(id, "global", world);
}
