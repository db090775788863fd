/** When, where and by whom an item is created. */
import { redact } from "../../logic/redaction/redaction.ts";
import type { Provenance } from "../../logic/memory/new-item.ts";
import type { Item } from "../../model/memory/item.ts";
import type { World } from "../../ports/world.ts";

export function provenanceIn({ ids, clock, origin }: Pick<World, "clock" | "ids" | "origin">): Provenance {
  return { id: ids.next(), now: clock.now(), origin };
}

export function contextOf({ place }: Pick<World, "place">): Pick<Item, "context" | "details"> {
  const branch = place.branch();
  return {
    context: {
      branch: branch === null ? null : redact(branch).text,
      commits: [],
      files: [],
      symbols: [],
      language: null,
    },
    details: { space: place.spaceId },
  };
}
