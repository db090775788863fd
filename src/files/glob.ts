/**
 * Globs: `*` and `?` within a name, `**` across folders, `{a,b}` for alternatives.
 *
 * A glob without a slash is a file name, matched in any folder. Case is ignored. Rules may come from a cloned
 * repository, so a glob is never turned into a regular expression: matching costs at most its length times the path's.
 */

const LONGEST = 500;
const MOST_ALTERNATIVES = 100;

/** What is wrong with a glob, or null. A faulty glob matches nothing. */
export function globFault(glob: string): string | null {
  if (glob.trim() === "") return "is empty";
  if (glob.length > LONGEST) return `is longer than ${LONGEST} characters`;
  return alternatives(glob) === null ? `has more than ${MOST_ALTERNATIVES} alternatives` : null;
}

/** How many plain globs it expands to. */
export const alternativesIn = (glob: string): number => alternatives(glob)?.length ?? 0;

/** For matching one path against many globs: the path is split only once. */
export function namesMatcher(glob: string): (names: readonly string[]) => boolean {
  if (globFault(glob) !== null) return () => false;
  const patterns = (alternatives(glob) ?? []).map(segmentsOf);
  return (names) => patterns.some((pattern) => matches(pattern, names, isFolders, isSegment));
}

export const namesOf = (path: string): string[] => folded(path).split("/");

/** One path segment of a glob; `characters` is null if it has no wildcard. */
interface Segment {
  text: string;
  characters: readonly string[] | null;
}

function segmentsOf(glob: string): Segment[] {
  const plain = folded(glob).replace(/^(?:\.?\/)+/, "");
  const isAnchored = glob.startsWith("/") || plain.includes("/");
  const parts = (isAnchored ? plain : `**/${plain}`).split("/").filter((part) => part !== "");
  // A folder itself is not inside the folder.
  const below = parts.at(-1) === "**" ? [...parts.slice(0, -1), "*", "**"] : parts;
  return below.map((text) => ({ text, characters: /[*?]/.test(text) ? [...text] : null }));
}

const isFolders = ({ text }: Segment): boolean => text === "**";
const isStar = (character: string): boolean => character === "*";
const isCharacter = (wanted: string, found: string): boolean => wanted === "?" || wanted === found;

function isSegment({ text, characters }: Segment, name: string): boolean {
  if (text === "*") return true;
  return characters === null ? text === name : matches(characters, [...name], isStar, isCharacter);
}

/**
 * At both levels, `**` among folders and `*` among characters, only the last wildcard is ever retried: anything an
 * earlier one could match, the later one can too.
 */
function matches<Part>(
  parts: readonly Part[],
  found: readonly string[],
  isWild: (part: Part) => boolean,
  isMatch: (part: Part, found: string) => boolean,
): boolean {
  let part = 0;
  let at = 0;
  let wild = -1;
  let taken = 0;
  while (at < found.length) {
    const wanted = parts[part];
    if (wanted !== undefined && isWild(wanted)) {
      wild = part;
      taken = at;
      part += 1;
    } else if (wanted !== undefined && isMatch(wanted, found[at] ?? "")) {
      part += 1;
      at += 1;
    } else if (wild >= 0) {
      part = wild + 1;
      taken += 1;
      at = taken;
    } else {
      return false;
    }
  }
  return parts.slice(part).every(isWild);
}

/** One glob per combination of alternatives; null if there are too many. An unpaired brace is an ordinary character. */
function alternatives(glob: string): string[] | null {
  let done = [""];
  let at = 0;
  while (at < glob.length) {
    const choices = glob[at] === "{" ? choicesAt(glob, at) : null;
    const nested = choices?.parts.map(alternatives) ?? [[glob.charAt(at)]];
    const next: string[] = [];
    for (const parts of nested) {
      if (parts === null || next.length + done.length * parts.length > MOST_ALTERNATIVES) return null;
      for (const part of parts) next.push(...done.map((start) => start + part));
    }
    done = next;
    at = choices?.end ?? at + 1;
  }
  return done;
}

/** The parts between a brace and its pair, split at this level's commas. */
function choicesAt(glob: string, start: number): { parts: string[]; end: number } | null {
  const parts: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < glob.length; at += 1) {
    const character = glob[at];
    if (character === "{") depth += 1;
    if (character === "}") depth -= 1;
    if ((character === "," && depth === 1) || depth === 0) {
      parts.push(glob.slice(from, at));
      from = at + 1;
    }
    if (depth === 0) return { parts, end: at + 1 };
  }
  return null;
}

const folded = (text: string): string => text.normalize("NFC").toLowerCase();
