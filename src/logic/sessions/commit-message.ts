/** The message of a `git commit`, as far as the command itself has it. */
const COMMIT = /\bgit\s+(?:-[cC]\s+\S+\s+){0,9}commit\b(?!-)/;
const MESSAGE_OPTION = /\s(?:-[a-z]*m|--message)[ =]?\s*/;
const PIPED = /<<-?\s*(['"]?)(\w+)\1\n([\s\S]*?)\n[ \t]*\2\b/;
const TRAILER = /^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: |🤖|Co-authored-by:|Generated with ).*$/gim;
const LONGEST = 8_000;

export const isCommit = (command: string): boolean => COMMIT.test(command) && !/--dry-run\b/.test(command);

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

/** As git prints it: "[main 1a2b3c4] Subject". */
const COMMITTED = /^\[[^\[\]\n]{1,200} [0-9a-f]{7,40}\] (\S[^\n]{0,300})$/gm;
const MAKES_COMMITS = /\bgit\s+(?:-[cC]\s+\S+\s+){0,9}(?:commit|cherry-pick|revert|merge|am)\b(?!-)/;
const AMENDS = /\s--amend\b/;

/** Subjects of the commits that a command made; `amends` when it replaced the last one. */
export function commitsMade(call: { command: string; output: string; failed: boolean }): {
  subjects: string[];
  amends: boolean;
} {
  const { command, output, failed } = call;
  const amends = AMENDS.test(command) && isCommit(command);
  if (!MAKES_COMMITS.test(command)) return { subjects: [], amends: false };
  const printed = [...output.matchAll(COMMITTED)].map(([, subject]) => subject!.trim());
  if (printed.length > 0) return { subjects: printed, amends };
  const message = failed || !isCommit(command) ? null : commitMessage(command);
  const subject = message?.split("\n")[0]!.trim() ?? "";
  return { subjects: subject === "" ? [] : [subject], amends };
}
