/**
 * The words of an editor's command, divided as a POSIX shell divides them. Nothing else in it is interpreted.
 *
 * On Windows a backslash separates folders, so it escapes nothing.
 */
const PARTS = /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)|(\s+)|([^\s'"\\]+|.)/gs;

export function editorWords(command: string, { escapes }: { escapes: boolean }): string[] {
  const words: string[] = [];
  let word: string | null = null;
  for (const [part, single, double, escaped, space, plain] of command.matchAll(PARTS)) {
    if (space !== undefined) {
      if (word !== null) words.push(word);
      word = null;
      continue;
    }
    const quoted = single ?? (escapes ? double?.replace(/\\(["\\$`])/g, "$1") : double);
    word = (word ?? "") + (quoted ?? plain ?? (escapes ? escaped : part));
  }
  return word === null ? words : [...words, word];
}
