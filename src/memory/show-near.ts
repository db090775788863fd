/** What a new item is near, as text: who said it when, in which words the two differ, and the next step. */
import { cutLine, shownLine } from "../text/short-text.ts";
import type { Zone } from "../time/calendar.ts";
import { dayIn } from "../time/shown.ts";
import type { Near } from "./near-pair.ts";

const SUMMARY_CHARACTERS = 120;
const DIFFERENCE_CHARACTERS = 60;

interface Shown {
  isProposal?: boolean;
  /** How the verb is called: an agent has it as a tool. */
  settle?: string;
}

/** Nothing where nothing is near; else lines that begin with a line break. */
export function renderNear(
  near: readonly Near[],
  own: string,
  zone: Zone,
  { isProposal = false, settle = "stele settle" }: Shown = {},
): string {
  if (near.length === 0) return "";
  const lines = near.map((one) => `${nearLine(one, zone)}${stepFor(one, own, isProposal)}`);
  const memory = near.find(({ shelf }) => shelf === "memory");
  return ["", ...lines, ...(memory ? [settling(`${settle} ${own} ${memory.handle}`)] : [])].join("\n");
}

const KINDS = { contradicts: "Contradicts", repeats: "Repeats" };

export function nearLine({ kind, shelf, handle, createdAt, by, summary, ...words }: Near, zone?: Zone): string {
  const what = `${kind === null ? "Near" : KINDS[kind]}${shelf === "memory" ? "" : ` ${shelf}`} ${handle}`;
  const text = shownLine(summary, SUMMARY_CHARACTERS);
  return `${what} (${by}, ${zone ? dayIn(createdAt, zone) : createdAt.slice(0, 10)}): "${text}"${differenceIn(words)}`;
}

function differenceIn({ onlyThere, onlyHere }: Pick<Near, "onlyThere" | "onlyHere">): string {
  if (onlyThere === "" && onlyHere === "") return "";
  const shown = (words: string) => (words === "" ? "–" : cutLine(words, DIFFERENCE_CHARACTERS));
  return ` [${shown(onlyThere)} → ${shown(onlyHere)}]`;
}

function stepFor({ shelf, handle }: Near, own: string, isProposal: boolean): string {
  if (shelf === "decision" && isProposal)
    return `\n  It holds. Ratifying replaces it, unless both hold: \`stele ratify ${own} --with ${handle} --when "…"\`.`;
  if (shelf === "decision")
    return `\n  The decision holds. To change it, propose another one that supersedes ${handle}.`;
  return shelf === "proposal" ? "\n  A person decides which one is ratified." : "";
}

const settling = (command: string): string =>
  [
    `  Replaces it: \`${command} --as replaces\``,
    `  Both hold: \`--as both --when "…"\`; about something else: \`--as unrelated\``,
    `  The same again: \`--as repeats\``,
  ].join("\n");
