/**
 * Ghost messages: what a host may tell the model unseen.
 *
 * Each is marked as recalled memory, so that it is never captured as if somebody had said it, and states facts with
 * handle and date. They speak as a user would: stored text must not have the authority of the system.
 */
import { BLOCK_END, BLOCK_START } from "../../model/capture/memory-block.ts";
import type { GhostMessage, WindowMemory } from "../../model/context/context-window.ts";
import { dayIn } from "../../model/time/day-shown.ts";
import type { Zone } from "../../model/time/zone.ts";
import { contentHash } from "../text/content-hash.ts";
import { plainLine } from "./lines/plain-line.ts";
import { titledLine } from "./lines/window-line.ts";

const STATED_MOST = 3;
const STATED_CHARACTERS = 160;
const ID_DIGITS = 32;

type Stated = Pick<WindowMemory, "handle" | "title" | "content" | "createdAt">;

const PROBLEMS: readonly string[] = ["bug_fix", "gotcha", "error"];

export function ghostMessages(
  { decisions, memories }: { decisions: readonly Stated[]; memories: readonly WindowMemory[] },
  { now, zone }: { now: number; zone: Zone },
): GhostMessage[] {
  const ofTypes = (types: readonly string[]) =>
    memories.filter(({ shelf, type }) => shelf === "memory" && types.includes(type));
  const messages: [GhostMessage["trigger"], string, readonly Stated[]][] = [
    ["decisions_in_force", "Decisions in force in this project", decisions],
    ["known_problems", "Problems known in this project", ofTypes(PROBLEMS)],
    ["preferences", "Preferences of the person", ofTypes(["preference"])],
  ];
  return messages
    .filter(([, , stated]) => stated.length > 0)
    .map(([trigger, title, stated]) => {
      const lines = stated.slice(0, STATED_MOST).map((one) => lineOf(one, zone));
      const content = [BLOCK_START, `${title}, recalled as data:`, ...lines, BLOCK_END].join("\n");
      const id = contentHash(`${trigger} ${content}`).slice(0, ID_DIGITS);
      return { id, role: "user", content, timestamp: new Date(now).toISOString(), isVisible: false, trigger };
    });
}

const lineOf = ({ handle, title, content, createdAt }: Stated, zone: Zone): string =>
  `- ${titledLine({ title, content }, STATED_CHARACTERS)} (${plainLine(handle)}, ${dayIn(createdAt, zone)})`;
