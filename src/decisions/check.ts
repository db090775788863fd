/**
 * Checks the requirements of a text against those of another.
 *
 * Compares two documents, or each specification in a change's folder with the existing one of the same name.
 */
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Failure } from "../errors.ts";
import { saysOtherwise } from "../memory/nearness.ts";
import { redactor } from "../redaction/redact.ts";
import { DEMAND } from "../text/english.ts";
import { nested, plainText, readMarkdown, type Section } from "../text/markdown.ts";
import { TEXT_LIMIT_BYTES } from "../text/text.ts";
import { sharedPart } from "../text/words.ts";
import type { World } from "../world.ts";
import { judge, type Level, mayContradict, type Reading, readingOf } from "./contradiction.ts";

/**
 * Requirements: the demands of a text, and which of them contradict another text.
 *
 * If a text has headings such as "Requirement: name", those are its requirements, and sections for added, modified,
 * removed and renamed ones make it a delta. In any other text, each sentence that demands something is a requirement.
 */
type DeltaKind = "added" | "modified" | "removed" | "renamed";

interface Requirement {
  /** Its own name, or the heading above it. */
  name: string | null;
  text: string;
  delta: DeltaKind | null;
}

interface RequirementPair {
  energy: number;
  level: Level;
  a: Requirement;
  b: Requirement;
}

export interface RequirementCheck {
  /** The level of the worst pair; at least a warning if something was not compared. */
  level: Level;
  /** Pairs worth a look, worst first. */
  pairs: RequirementPair[];
  /** Number of pairs compared. */
  compared: number;
  /** How many requirements were skipped because there were too many. */
  skipped: number;
}

/** Per text. Every pair is compared, so the time grows with the square. */
const MOST_REQUIREMENTS = 1_000;
const MOST_PAIRS = 200;
const LONGEST_REQUIREMENT = 2_000;

const NAMED = /^requirement:\s*(.*)$/i;
const DELTA = /^(added|modified|removed|renamed)\b/i;
const RENAMING = /^\W{0,10}(from|to):\W{0,20}requirement:(.*)$/i;

export function readRequirements(text: string): Requirement[] {
  const { sections } = readMarkdown(text.slice(0, TEXT_LIMIT_BYTES));
  const named = namedRequirements(sections);
  return named.length > 0 ? named : demandsOf(sections);
}

/** Two that differ in a word or two have most others in common. */
const NEARLY_EQUAL = 0.4;

/**
 * Compares the added and modified requirements of a delta, or all of a text that is no delta, with all that remain. The
 * old wording of a modified requirement does not remain. Yields between parts of the work, so that the caller can let
 * others run.
 */
export function* checkRequirements(delta: string, canonical: string): Generator<undefined, RequirementCheck> {
  const changes = readRequirements(delta);
  const all = changes.filter((requirement) => !isRemoval(requirement));
  yield;
  const replaced = replacedNames(changes, delta);
  const holding = readRequirements(canonical).filter((one) => !isRemoval(one) && !replaced.has(key(one.name)));
  const [ours, theirs] = [all.slice(0, MOST_REQUIREMENTS), holding.slice(0, MOST_REQUIREMENTS)];
  const held: { b: Requirement; reading: Reading }[] = [];
  for (const b of theirs) {
    yield;
    held.push({ b, reading: readingOf(b.text) });
  }
  let pairs: RequirementPair[] = [];
  let compared = 0;
  for (const a of ours) {
    yield;
    const own = readingOf(a.text);
    for (const { b, reading } of held) {
      compared += 1;
      if (sharedPart(own.stems, reading.stems) >= NEARLY_EQUAL && saysOtherwise(b.text, a.text)) {
        pairs.push({ energy: judge(own, reading).energy, level: "reject", a, b });
        continue;
      }
      if (!mayContradict(own, reading)) continue;
      const { energy, level } = judge(own, reading);
      if (level !== "allow") pairs.push({ energy, level, a, b });
    }
    if (pairs.length > 2 * MOST_PAIRS) pairs = worstOf(pairs);
  }
  pairs = worstOf(pairs);
  const skipped = all.length - ours.length + holding.length - theirs.length;
  const level = pairs[0]?.level ?? (skipped > 0 ? "warn" : "allow");
  return { level, pairs, compared, skipped };
}

const worstOf = (pairs: readonly RequirementPair[]): RequirementPair[] =>
  pairs.toSorted((one, two) => two.energy - one.energy).slice(0, MOST_PAIRS);

/** Names of requirements that a delta removes or modifies, also under another name. */
function replacedNames(changes: readonly Requirement[], delta: string): Set<string> {
  const replaced = changes.filter(({ delta: kind }) => kind !== null && kind !== "added").map(({ name }) => key(name));
  const names = new Set(replaced);
  let from: string | null = null;
  for (const line of delta.slice(0, TEXT_LIMIT_BYTES).split("\n")) {
    const [, end, name] = RENAMING.exec(line.slice(0, LONGEST_REQUIREMENT)) ?? [];
    if (end?.toLowerCase() === "from") from = key(name ?? "");
    // A requirement that is both renamed and modified had another name before.
    if (end?.toLowerCase() === "to" && from !== null && names.has(key(name ?? ""))) names.add(from);
  }
  return names;
}

const isRemoval = ({ delta }: Requirement): boolean => delta === "removed" || delta === "renamed";
const key = (name: string | null): string =>
  (name ?? "").replaceAll("`", "").trim().toLowerCase().split(/\s+/).join(" ");

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
    // Scenarios illustrate a requirement; they demand nothing of their own, unless it has no other text.
    const ownText =
      body === ""
        ? nested(sections, index)
            .map((part) => part.body)
            .join("\n")
        : body;
    const text = plainText(withoutCode(ownText)).slice(0, LONGEST_REQUIREMENT);
    const hasContent = text !== "" || delta?.kind === "removed";
    if (hasContent) found.push({ name, text: text || name, delta: delta?.kind ?? null });
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

/** List items, and the sentences of everything else. */
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

interface LocatedRequirement extends Pick<Requirement, "name" | "text"> {
  path: string;
}

interface Checked {
  level: Level;
  pairs: { energy: number; level: Level; a: LocatedRequirement; b: LocatedRequirement }[];
  /** Number of pairs compared. */
  compared: number;
  /** Number of requirements not compared, because a document has too many. */
  skipped: number;
}

const DEEPEST = 6;
const MOST_FILES = 1_000;
const WORST: readonly Level[] = ["reject", "warn", "allow"];

export async function check(path: string, against: string | undefined, world: Pick<World, "files">): Promise<Checked> {
  const checks: Checked[] = [];
  for (const [a, b] of await pairsOf(path, against, world)) {
    checks.push(withPaths(await inTurns(checkRequirements(await textOf(a, world), await textOf(b, world))), a, b));
  }
  return {
    level: WORST.find((level) => checks.some((one) => one.level === level)) ?? "allow",
    pairs: checks.flatMap((one) => one.pairs).toSorted((one, two) => two.energy - one.energy),
    compared: checks.reduce((sum, { compared }) => sum + compared, 0),
    skipped: checks.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

/** Other calls of a server get their turn in between. */
async function inTurns<T>(work: Generator<undefined, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    await nextTurn();
  }
}

function withPaths({ level, pairs, compared, skipped }: RequirementCheck, a: string, b: string): Checked {
  const located = ({ name, text }: Requirement, path: string): LocatedRequirement => ({ path, name, text });
  return {
    level,
    compared,
    skipped,
    pairs: pairs.map((pair) => ({ ...pair, a: located(pair.a, a), b: located(pair.b, b) })),
  };
}

async function pairsOf(
  path: string,
  against: string | undefined,
  world: Pick<World, "files">,
): Promise<[string, string][]> {
  const { files } = world;
  const own = files.resolve(path);
  if ((await kindOf(own, world)) === "file") {
    if (against !== undefined) return [[own, files.resolve(against)]];
    throw new Failure("invalid_input", "A document cannot be checked against itself.", "Name another with `against`.");
  }
  const specs = join(own, "specs");
  const canonical = against === undefined ? join(own, "..", "..", "specs") : files.resolve(against);
  const found = (await files.kindOf(specs)) === "folder" ? await markdownIn(specs, "", DEEPEST, world) : [];
  if (found.length === 0) {
    throw new Failure(
      "not_found",
      `${path} contains no specifications.`,
      "Name the folder of a change, or two documents.",
    );
  }
  const pairs: [string, string][] = [];
  for (const name of found) {
    const existing = join(canonical, name);
    // A new specification has no existing one to contradict.
    if ((await files.kindOf(existing)) === "file") pairs.push([join(specs, name), existing]);
  }
  return pairs;
}

async function kindOf(path: string, { files }: Pick<World, "files">): Promise<"file" | "folder"> {
  const kind = await files.kindOf(path);
  if (kind === "file" || kind === "folder") return kind;
  const what = kind === "absent" ? "does not exist" : "is neither a file nor a folder";
  throw new Failure(
    kind === "absent" ? "not_found" : "invalid_input",
    `${path} ${what}.`,
    "Name a document or a folder.",
  );
}

async function markdownIn(root: string, below: string, depth: number, world: Pick<World, "files">): Promise<string[]> {
  if (depth === 0) return [];
  const found: string[] = [];
  for (const name of await world.files.names(join(root, below))) {
    const path = join(below, name);
    const kind = await world.files.kindOf(join(root, path));
    if (kind === "folder") found.push(...(await markdownIn(root, path, depth - 1, world)));
    else if (kind === "file" && /\.(md|markdown)$/i.test(name)) found.push(path);
    if (found.length > MOST_FILES) {
      throw new Failure(
        "invalid_input",
        `${root} contains more than ${MOST_FILES} documents.`,
        "Check some of them at a time.",
      );
    }
  }
  return found;
}

/** Contradictions are shown, so secrets are removed first. */
async function textOf(path: string, { files }: Pick<World, "files">): Promise<string> {
  return redactor().clean(await files.text(path, { fileBytes: TEXT_LIMIT_BYTES }));
}
