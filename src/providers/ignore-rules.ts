/**
 * Ignore rules of a project: git's, our own `.steleignore`, and what the settings exclude.
 *
 * Each kind stands above the one before it, wherever its file lies, so that our own can take back what git leaves out.
 * Patterns come from strangers: one that cannot be understood, or one too many, is left out.
 */
import type { Ignore } from "ignore";
import { ignorePatterns, isSkippedFolder } from "../logic/skip-rules.ts";

export const GIT_IGNORE = ".gitignore";
export const OWN_IGNORE = ".steleignore";

export interface IgnoreTexts {
  git: string | null;
  own: string | null;
}

export interface IgnoreRules {
  ignores(path: string, isFolder: boolean): boolean;
  /** The rules inside of a folder that has ignore files. */
  within(folder: string, texts: IgnoreTexts): IgnoreRules;
}

/** Every name is held against every rule, so there is an end to them. */
const RULE_LIMIT = 5_000;
/** The library remembers every path it was asked about; whoever watches for weeks asks about many. */
const REMEMBERED_PATHS = 100_000;

interface Layers {
  git: Ignore;
  own: Ignore;
  settings: Ignore;
  count: number;
}

/** Rules before any folder's own: what git excludes for this clone alone, and what the settings exclude. */
export async function createIgnoreRules(exclude: string, settings: readonly string[]): Promise<IgnoreRules> {
  const { default: ignore } = await import("ignore");
  // As git decides by default.
  const ignorecase = process.platform === "win32" || process.platform === "darwin";
  const make = () => ignore({ ignorecase });

  function understood(patterns: readonly string[], room: number): Ignore[] {
    return patterns.slice(0, Math.max(0, room)).flatMap((pattern) => {
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

  function rules(layers: Layers): IgnoreRules {
    const gather = () => make().add([layers.git, layers.own, layers.settings]);
    let [all, asked] = [gather(), 0];
    return {
      ignores(path, isFolder) {
        if ((asked += 1) > REMEMBERED_PATHS) [all, asked] = [gather(), 0];
        return all.ignores(isFolder ? `${path}/` : path);
      },
      within(folder, texts) {
        const git = understood(ignorePatterns(texts.git ?? "", folder), RULE_LIMIT - layers.count);
        const own = understood(ignorePatterns(texts.own ?? "", folder), RULE_LIMIT - layers.count - git.length);
        const count = layers.count + git.length + own.length;
        if (count === layers.count) return this;
        return rules({
          git: make().add([layers.git, ...git]),
          own: make().add([layers.own, ...own]),
          settings: layers.settings,
          count,
        });
      },
    };
  }

  const git = understood(ignorePatterns(exclude, ""), RULE_LIMIT);
  const last = understood(ignorePatterns(settings.join("\n"), ""), RULE_LIMIT - git.length);
  return rules({ git: make().add(git), own: make(), settings: make().add(last), count: git.length + last.length });
}

export function isIgnoreFile(name: string): boolean {
  return name === GIT_IGNORE || name === OWN_IGNORE;
}

export function leavesOutFolder(rules: IgnoreRules, path: string, name: string): boolean {
  return isSkippedFolder(name) || rules.ignores(path, true);
}
