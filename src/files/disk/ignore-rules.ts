/**
 * Ignore rules of a project: git's, our own `.steleignore`, and excludes from the settings.
 *
 * Each kind overrides the one before it, wherever its file is, so that our own can re-include what git ignores.
 * Patterns are untrusted: an invalid one is skipped, as in git. An ignore file that cannot be read completely, or would
 * take too long, closes its folder, since it is unknown what it keeps private.
 */
import type { Ignore } from "ignore";
import type { SkippedFile } from "../corpus.ts";
import { ignorePatterns, isNeverEntered, isSlowPattern } from "../skip-rules.ts";

export const GIT_IGNORE = ".gitignore";
export const OWN_IGNORE = ".steleignore";
const GIT_EXCLUDE = ".git/info/exclude";

/** The text of an ignore file, or why it cannot be read; null if there is none. */
export type IgnoreText = { text: string } | { reason: string } | null;

interface IgnoreTexts {
  git: IgnoreText;
  own: IgnoreText;
}

export interface IgnoreRules {
  ignores(path: string, isFolder: boolean): boolean;
  /** The rules inside a folder that may have ignore files. */
  within(folder: string, texts: IgnoreTexts): Ruling;
}

export interface Ruling {
  rules: IgnoreRules;
  /** Why the folder is not entered. */
  fault: string | null;
  /** Ignore files with patterns that were left out. */
  warnings: SkippedFile[];
}

/** Rules that apply before any folder's own. */
export interface OuterRules {
  /** The ignore rules of this clone alone. */
  exclude: IgnoreText;
  settings: readonly string[];
  /** Folders inside the project that do not belong to it. */
  except: readonly string[];
}

/** Every name is matched against every rule, so their number is limited, and more strictly for slow ones. */
const RULE_LIMIT = 5_000;
const SLOW_RULE_LIMIT = 50;
/** The library caches every path it is asked about, which would grow without bound over weeks of watching. */
const REMEMBERED_PATHS = 100_000;
const LEFT_OUT = "slow patterns in it are ignored";

interface Layers {
  git: Ignore;
  own: Ignore;
  settings: Ignore;
  count: number;
  slow: number;
}

interface IgnoreFile {
  kind: "git" | "own";
  name: string;
  folder: string;
  found: IgnoreText;
}

interface Added {
  layers: Layers;
  warnings: SkippedFile[];
}

type Make = () => Ignore;

/** Ignores everything, because it is unknown what is private. */
const CLOSED: IgnoreRules = { ignores: () => true, within: () => closed("its parent is closed") };
const closed = (fault: string): Ruling => ({ rules: CLOSED, fault, warnings: [] });

export async function createIgnoreRules({ exclude, settings, except }: OuterRules): Promise<Ruling> {
  const { default: ignore } = await import("ignore");
  // As in git by default.
  const ignorecase = process.platform === "win32" || process.platform === "darwin";
  const make = () => ignore({ ignorecase });
  const { patterns } = ignorePatterns(settings.join("\n"), "");
  const last = make().add(understood(patterns, make));
  const bare = { git: make(), own: make(), settings: last, count: patterns.length, slow: 0 };
  const outer = withFile(bare, { kind: "git", name: GIT_EXCLUDE, folder: "", found: exclude }, make);
  if (typeof outer === "string") return closed(outer);
  return { rules: rulesOf(outer.layers, new Set(except), make), fault: null, warnings: outer.warnings };
}

function understood(patterns: readonly string[], make: Make): Ignore[] {
  return patterns.flatMap((pattern) => {
    try {
      const rule = make().add(pattern);
      // Compiled here, so that it cannot fail later, and shared from then on.
      rule.ignores("a/");
      return [rule];
    } catch (thrown) {
      if (thrown instanceof SyntaxError) return [];
      throw thrown;
    }
  });
}

/** The layers extended by an ignore file, or why the folder is not entered. */
function withFile(layers: Layers, { kind, name, folder, found }: IgnoreFile, make: Make): Added | string {
  if (found === null) return { layers, warnings: [] };
  if ("reason" in found) return `not entered, because its ${name} cannot be read: ${found.reason}`;
  const { patterns, unfit } = ignorePatterns(found.text, folder);
  if (layers.count + patterns.length > RULE_LIMIT) {
    return `not entered, because its ${name} brings the rules to more than ${RULE_LIMIT}`;
  }
  const slow = patterns.filter(isSlowPattern);
  const tooMany = new Set(slow.splice(SLOW_RULE_LIMIT - layers.slow));
  const fit = patterns.filter((pattern) => !tooMany.has(pattern));
  const dropped = [...unfit, ...tooMany];
  // Dropping a re-including pattern only ignores more; dropping any other might expose something private.
  if (dropped.some((pattern) => !pattern.startsWith("!"))) {
    return `not entered, because patterns in its ${name} would take too long`;
  }
  const warnings = dropped.length > 0 ? [{ path: inside(folder, name), reason: LEFT_OUT }] : [];
  if (fit.length === 0) return { layers, warnings };
  const added = make().add([layers[kind], ...understood(fit, make)]);
  const counts = { count: layers.count + fit.length, slow: layers.slow + slow.length };
  return { layers: { ...layers, ...counts, [kind]: added }, warnings };
}

function rulesOf(layers: Layers, foreign: ReadonlySet<string>, make: Make): IgnoreRules {
  const gather = () => make().add([layers.git, layers.own, layers.settings]);
  let [all, asked] = [gather(), 0];
  return {
    ignores(path, isFolder) {
      if (isFolder && foreign.has(path)) return true;
      if ((asked += 1) > REMEMBERED_PATHS) [all, asked] = [gather(), 0];
      return all.ignores(isFolder ? `${path}/` : path);
    },
    within(folder, { git, own }) {
      const first = withFile(layers, { kind: "git", name: GIT_IGNORE, folder, found: git }, make);
      if (typeof first === "string") return closed(first);
      const second = withFile(first.layers, { kind: "own", name: OWN_IGNORE, folder, found: own }, make);
      if (typeof second === "string") return closed(second);
      const rules = second.layers === layers ? this : rulesOf(second.layers, foreign, make);
      return { rules, fault: null, warnings: [...first.warnings, ...second.warnings] };
    },
  };
}

/** The path of an entry in a folder. */
export const inside = (folder: string, name: string) => (folder === "" ? name : `${folder}/${name}`);

export function isIgnoreFile(name: string): boolean {
  return name === GIT_IGNORE || name === OWN_IGNORE;
}

export function leavesOutFolder(rules: IgnoreRules, path: string, name: string): boolean {
  return isNeverEntered(name) || rules.ignores(path, true);
}

export function leavesOutFile(rules: IgnoreRules, path: string, name: string): boolean {
  return isNeverEntered(name) || rules.ignores(path, false);
}
