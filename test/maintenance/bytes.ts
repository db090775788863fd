/** What files hold, whatever a database says of it: deleted rows stay in free space, deleted words in an index. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where an index shortens a word by what it shares with its neighbour, the rest of it still shows. */
export const traceOf = (word: string) => word.slice(3);

/** Which of the words have left a trace in the bytes under the folder. */
export function wordsUnder(folder: string, words: readonly string[]): string[] {
  const bytes = bytesUnder(folder);
  return words.filter((word) => bytes.includes(traceOf(word)));
}

/** Every byte under the folder, in lower case. */
export function bytesUnder(folder: string): string {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1").toLowerCase()).join("\n");
}
