/**
 * Checks the requirements of a text against those of another.
 *
 * Compares two documents, or each specification in a change's folder with the existing one of the same name.
 */
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Failure } from "../../errors.ts";
import type { Level } from "../../logic/decisions/contradiction.ts";
import { type Requirement, type RequirementCheck, checkRequirements } from "../../logic/decisions/requirements.ts";
import { TEXT_LIMIT_BYTES } from "../../model/text/text.ts";
import type { World } from "../../ports/world.ts";
import { redactor } from "../redaction/redact.ts";

export interface LocatedRequirement extends Pick<Requirement, "name" | "text"> {
  path: string;
}

export interface Checked {
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
    ...{ level, compared, skipped },
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
