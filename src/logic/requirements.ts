/**
 * Requirements: what a text demands, and what of it contradicts another text.
 *
 * Where a text has headings such as "Requirement: name", those are its requirements, and sections for added,
 * modified, removed and renamed ones make it a delta. Of any other text, each sentence that demands something is one.
 */
import { type Level, energyOf, levelOf, readingOf } from "./contradiction.ts";
import { nested, plainText, readMarkdown, type Section } from "./markdown-sections.ts";

export type DeltaKind = "added" | "modified" | "removed" | "renamed";

export interface Requirement {
  /** Its own name, or the heading above it. */
  name: string | null;
  text: string;
  delta: DeltaKind | null;
}

export interface RequirementPair {
  energy: number;
  level: Level;
  a: Requirement;
  b: Requirement;
}

export interface RequirementCheck {
  /** That of the worst pair. */
  level: Level;
  /** Those that are worth a look, worst first. */
  pairs: RequirementPair[];
  /** How many pairs were compared. */
  compared: number;
  /** Whether there were more requirements than are compared. */
  isCut: boolean;
}

/** Every pair is read, so the time grows with the square. */
const MOST_REQUIREMENTS = 200;
const MOST_PAIRS = 200;
const LONGEST_REQUIREMENT = 2_000;
const LONGEST_TEXT = 1_000_000;

const NAMED = /^requirement:\s*(.*)$/i;
const DELTA = /^(added|modified|removed|renamed)\b/i;
const DEMAND =
  /\b(?:must|shall|should|never|always|cannot|may\s+not|can(?:no|')t|(?:do|does)(?:\s+not|n['’]t)|required?|requires|forbid(?:s|den)?|prohibit(?:s|ed)?|mandatory|not\s+allowed)\b/i;

export function readRequirements(text: string): Requirement[] {
  const { sections } = readMarkdown(text.slice(0, LONGEST_TEXT));
  const named = namedRequirements(sections);
  return named.length > 0 ? named : demandsOf(sections);
}

/** Added and modified requirements of a delta, or all of a text that is none, against all that stay. */
export function checkRequirements(delta: string, canonical: string): RequirementCheck {
  const changes = readRequirements(delta);
  const removed = new Set(changes.filter(isRemoval).map(({ name }) => key(name)));
  const all = changes.filter((requirement) => !isRemoval(requirement));
  const holding = readRequirements(canonical).filter(
    (requirement) => !isRemoval(requirement) && !(requirement.name !== null && removed.has(key(requirement.name))),
  );
  const [ours, theirs] = [all.slice(0, MOST_REQUIREMENTS), holding.slice(0, MOST_REQUIREMENTS)];
  const readings = new Map([...ours, ...theirs].map((requirement) => [requirement, readingOf(requirement.text)]));
  const pairs = ours.flatMap((a) =>
    theirs.flatMap((b): RequirementPair[] => {
      const amount = energyOf(readings.get(a)!, readings.get(b)!);
      const level = levelOf(amount);
      return level === "allow" ? [] : [{ energy: amount, level, a, b }];
    }),
  );
  pairs.sort((one, two) => two.energy - one.energy);
  return {
    level: pairs[0]?.level ?? "allow",
    pairs: pairs.slice(0, MOST_PAIRS),
    compared: ours.length * theirs.length,
    isCut: ours.length < all.length || theirs.length < holding.length,
  };
}

const isRemoval = ({ delta }: Requirement): boolean => delta === "removed" || delta === "renamed";
const key = (name: string | null): string => (name ?? "").toLowerCase().split(/\s+/).join(" ");

function namedRequirements(sections: readonly Section[]): Requirement[] {
  const found: Requirement[] = [];
  let delta: { kind: DeltaKind; level: number } | null = null;
  for (const [index, { level, heading, body }] of sections.entries()) {
    const name = NAMED.exec(heading)?.[1]?.trim();
    const kind = DELTA.exec(heading)?.[1]?.toLowerCase() as DeltaKind | undefined;
    if (name === undefined) {
      if (kind !== undefined && /requirement/i.test(heading)) delta = { kind, level };
      else if (delta !== null && level <= delta.level) delta = null;
      continue;
    }
    // Scenarios show a requirement at work; they demand nothing of their own, unless nothing else does.
    const said = body === "" ? nested(sections, index).map((part) => part.body).join("\n") : body; // prettier-ignore
    const text = plainText(withoutCode(said)).slice(0, LONGEST_REQUIREMENT);
    const isSaid = text !== "" || delta?.kind === "removed";
    if (isSaid) found.push({ name, text: text || name, delta: delta?.kind ?? null });
  }
  return found;
}

function demandsOf(sections: readonly Section[]): Requirement[] {
  return sections.flatMap(({ heading, body }) =>
    statementsOf(withoutCode(body))
      .filter((text) => DEMAND.test(text))
      .map((text) => ({ name: heading || null, text: text.slice(0, LONGEST_REQUIREMENT), delta: null })),
  );
}

/** Items of lists, and the sentences of everything else. */
function statementsOf(body: string): string[] {
  const blocks = body.split(/\n\s*\n|\n(?=[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])/);
  return blocks.flatMap((block) => {
    const text = plainText(block.replace(/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/, ""));
    return text.split(/(?<=[.!?])\s+(?=\S)|(?<=[。！？])/).filter((sentence) => sentence.trim() !== "");
  });
}

function withoutCode(body: string): string {
  let fence: string | null = null;
  const kept = body.split("\n").filter((line) => {
    const mark = /^[ \t]*(`{3,}|~{3,})/.exec(line)?.[1];
    const wasOpen = fence !== null;
    if (mark !== undefined && fence === null) fence = mark;
    else if (mark !== undefined && fence !== null && mark.startsWith(fence)) fence = null;
    return !wasOpen && fence === null;
  });
  return kept.join("\n");
}
