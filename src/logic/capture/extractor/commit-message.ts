/** The message of a `git commit`, as far as the command itself has it. */
const COMMIT = /\bgit\s+(?:-[cC]\s+\S+\s+){0,9}commit\b(?!-)/;
const HEREDOC = /<<-?\s*(['"]?)(\w+)\1\n([\s\S]*?)\n[ \t]*\2\b/;
const QUOTED = /\s(?:-[a-z]*m|--message)[ =]?\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g;
const TRAILER = /^(?:[A-Z][A-Za-z]*(?:-[A-Za-z]+)+: |🤖|Co-authored-by:|Generated with ).*$/gim;

export const isCommit = (command: string): boolean => COMMIT.test(command) && !/--dry-run\b/.test(command);

/** Without trailers; null when the message is not in the command. */
export function commitMessage(command: string): string | null {
  const start = COMMIT.exec(command)?.index;
  if (start === undefined) return null;
  const rest = command.slice(start, start + LONGEST);
  const quoted = [...rest.matchAll(QUOTED)].map(([, double, single]) => double ?? single ?? "");
  const message = HEREDOC.exec(rest)?.[3] ?? quoted.join("\n\n");
  return message.replace(TRAILER, "").trim() || null;
}

const LONGEST = 8_000;
