/** The message of a `git commit`, as far as the command itself has it. */
const COMMIT = /\bgit\s+(?:-[cC]\s+\S+\s+){0,9}commit\b(?!-)/;
const MESSAGE_OPTION = /\s(?:-[a-z]*m|--message)[ =]?\s*/;
const PIPED = /<<-?\s*(['"]?)(\w+)\1\n([\s\S]*?)\n[ \t]*\2\b/;
const TRAILER = /^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: |🤖|Co-authored-by:|Generated with ).*$/gim;
const LONGEST = 8_000;

export const isCommit = (command: string): boolean => COMMIT.test(command) && !/--dry-run\b/.test(command);

/** By the prefixes that many projects use: what they change, the code and its tests show. */
const UPKEEP = /^(?:test|style|chore|ci)(?:\([^()]*\))?!?: /i;
export const isUpkeep = (subject: string): boolean => UPKEEP.test(subject);

/** Without trailers; null when the message is not in the command. */
export function commitMessage(command: string): string | null {
  const start = COMMIT.exec(command)?.index;
  if (start === undefined) return null;
  const rest = command.slice(start, start + LONGEST);
  const quoted = quotedTexts(rest, MESSAGE_OPTION);
  return withoutTrailers(quoted.length > 0 ? quoted.join("\n\n") : (PIPED.exec(rest)?.[3] ?? "")) || null;
}

export const withoutTrailers = (text: string): string => text.replace(TRAILER, "").trim();

/** The quoted values of an option, or the here-documents that are put in their place. */
export function quotedTexts(command: string, option: RegExp): string[] {
  const value = new RegExp(
    String.raw`${option.source}(?:["']?\$\(\s*cat\s+<<-?\s*(['"]?)(\w+)\1\n([\s\S]*?)\n[ \t]*\2\b|"((?:[^"\\]|\\.)*)"|'([^']*)')`,
    "g",
  );
  return [...command.matchAll(value)].map(
    ([, , , document, double, single]) =>
      document ?? (double === undefined ? single! : double.replace(/\\([`"$\\])/g, "$1")),
  );
}
