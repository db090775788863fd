/** The card of a session as its reader sees it. */
import { cardLines as linesOf } from "../../logic/sessions/card-lines.ts";
import type { SessionCard } from "../../model/sessions/card.ts";
import type { World } from "../../ports/world.ts";
import { isForAgent } from "../decisions/consent.ts";

/** To an agent, "you" would be itself. */
export const cardLines = (card: SessionCard, { zone, origin }: Pick<World, "zone" | "origin">): string[] =>
  linesOf(card, { zone, reader: isForAgent(origin) ? "agent" : "person" });
