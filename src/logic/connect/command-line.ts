/**
 * A command as one string, for hosts that take no list of arguments, and back into words.
 *
 * Windows hosts run it in cmd or in PowerShell. Where it is not known which (`either`), the program is left without quotes,
 * because each takes a quoted program in its own way only; if it needs them, the `node` on the path is named instead.
 */
import type { Shell } from "../../model/connect/host.ts";

const SAFE = /^[\w@%+=:,./-]+$/;
const SAFE_ON_WINDOWS = /^[\w@+=:./\\-]+$/;

export function commandLine(words: readonly string[], shell: Shell): string {
  const isSafe = (word: string) => (shell === "sh" ? SAFE : SAFE_ON_WINDOWS).test(word);
  const quoted = words.map((word) => (isSafe(word) ? word : inQuotes(word, shell)));
  if (shell === "powershell" && !isSafe(words[0]!)) quoted.unshift("&");
  if (shell === "either" && !isSafe(words[0]!)) quoted[0] = "node";
  return quoted.join(" ");
}

function inQuotes(word: string, shell: Shell): string {
  if (shell === "sh") return `'${word.replaceAll("'", "'\\''")}'`;
  return shell === "powershell" ? `'${word.replaceAll("'", "''")}'` : `"${word}"`;
}

/** The words of a command, however it was quoted. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  const pattern = /(?:'(?:[^']|'')*'|"[^"]*"|\\['"]|[^\s'"\\]|\\(?!['"]))+/g;
  for (const [word] of line.matchAll(pattern)) {
    const plain = word.replace(
      /'((?:[^']|'')*)'|"([^"]*)"|\\(['"])/g,
      (_, single?: string, double?: string, sign?: string) =>
        single !== undefined ? single.replaceAll("''", "'") : (double ?? sign ?? ""),
    );
    if (plain !== "&" || words.length > 0) words.push(plain);
  }
  return words;
}
