/**
 * Ignore rules of a project: git's, our own `.steleignore`, and what the settings exclude.
 *
 * Each kind stands above the one before it, wherever its file lies, so that our own can take back what git leaves out.
 * Patterns come from strangers: one that cannot be understood is left out, as git does. An ignore file that cannot be
 * had whole, or would take too long, closes its folder, since nobody knows what it keeps private.
 */
import type { Ignore } from "ignore";
import { ignorePatterns, isNeverEntered, isSlowPattern } from "../../logic/corpus/skip-rules.ts";
import type { SkippedFile } from "../../model/corpus/corpus.ts";

export const GIT_IGNORE = ".gitignore";
export const OWN_IGNORE = ".steleignore";
const GIT_EXCLUDE = ".git/info/exclude";

/** What an ignore file says, or why it cannot be had; null where there is none. */
export type IgnoreText = { text: string } | { reason: string } | null;

export interface IgnoreTexts {
  git: IgnoreText;
  own: IgnoreText;
}

export interface IgnoreRules {
  ignores(path: string, isFolder: boolean): boolean;
  /** The rules inside of a folder that may have ignore files. */
  within(folder: string, texts: IgnoreTexts): Ruling;
}

export interface Ruling {
  rules: IgnoreRules;
  /** Why the folder is not looked into. */
  fault: string | null;
  /** Ignore files of which something was left out. */
  told: SkippedFile[];
}

/** What holds before any folder's own. */
export interface OuterRules {
  /** What git leaves out for this clone alone. */
  exclude: IgnoreText;
  settings: readonly string[];
  /** Folders that are not the project's, though they lie in it. */
  except: readonly string[];
}

/** Every name is held against every rule, so there is an end to them; and sooner for those that take long. */
const RULE_LIMIT = 5_000;
const SLOW_RULE_LIMIT = 50;
/** The library remembers every path it was asked about; whoever watches for weeks asks about many. */
const REMEMBERED_PATHS = 100_000;
const LEFT_OUT = "patterns in it that would take too long are left out";

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
  told: SkippedFile[];
}

type Make = () => Ignore;

/** Nothing gets in where nobody knows what is private. */
const CLOSED: IgnoreRules = { ignores: () => true, within: () => closed("its parent is closed") };
const closed = (fault: string): Ruling => ({ rules: CLOSED, fault, told: [] });

export async function createIgnoreRules({ exclude, settings, except }: OuterRules): Promise<Ruling> {
  const { default: ignore } = await import("ignore");
  // As git decides by default.
  const ignorecase = process.platform === "win32" || process.platform === "darwin";
  const make = () => ignore({ ignorecase });
  const { patterns } = ignorePatterns(settings.join("\n"), "");
  const last = make().add(understood(patterns, make));
  const bare = { git: make(), own: make(), settings: last, count: patterns.length, slow: 0 };
  const outer = withFile(bare, { kind: "git", name: GIT_EXCLUDE, folder: "", found: exclude }, make);
  if (typeof outer === "string") return closed(outer);
  return { rules: rulesOf(outer.layers, new Set(except), make), fault: null, told: outer.told };
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

/** Layers with what an ignore file adds to one of them, or why the folder is not looked into. */
function withFile(layers: Layers, { kind, name, folder, found }: IgnoreFile, make: Make): Added | string {
  if (found === null) return { layers, told: [] };
  if ("reason" in found) return `not entered, as nobody knows what its ${name} keeps private: ${found.reason}`;
  const { patterns, unfit } = ignorePatterns(found.text, folder);
  if (layers.count + patterns.length > RULE_LIMIT) {
    return `not entered, as with its ${name} there are more than ${RULE_LIMIT} rules`;
  }
  const slow = patterns.filter(isSlowPattern);
  const tooMany = new Set(slow.splice(SLOW_RULE_LIMIT - layers.slow));
  const fit = patterns.filter((pattern) => !tooMany.has(pattern));
  const dropped = [...unfit, ...tooMany];
  // Without one that lets something in, less is let in; without any other, something private might be.
  if (dropped.some((pattern) => !pattern.startsWith("!"))) {
    return `not entered, as patterns in its ${name} would take too long`;
  }
  const told = dropped.length > 0 ? [{ path: inside(folder, name), reason: LEFT_OUT }] : [];
  if (fit.length === 0) return { layers, told };
  const added = make().add([layers[kind], ...understood(fit, make)]);
  const counts = { count: layers.count + fit.length, slow: layers.slow + slow.length };
  return { layers: { ...layers, ...counts, [kind]: added }, told };
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
      return { rules, fault: null, told: [...first.told, ...second.told] };
    },
  };
}

/** The path of what lies in a folder. */
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
