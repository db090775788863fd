/**
 * Files that a CLAUDE.md includes: `@docs/style.md`, outside of code.
 *
 * Names of people and packages look the same (`@alice`, `@scope/name`), so only what ends like a Markdown file counts.
 */
const IMPORT = /(?<=^|[\s(])@((?:~\/|\.{0,2}\/)?[\w./-]{1,300}\.(?:md|mdc|markdown))(?=$|[\s),.;:])/g;

export function importsIn(text: string): string[] {
  return [...new Set([...withoutCode(text).matchAll(IMPORT)].map(([, path = ""]) => path))];
}

/** The text without lines that only include a file. */
export const withoutImports = (text: string): string =>
  text.replace(/^[ \t]*(?:[-*+][ \t]+)?@(?:~\/|\.{0,2}\/)?[\w./-]{1,300}\.(?:md|mdc|markdown)[ \t]*$/gm, "");

/** Fences and code spans, which may be long, are cut out line by line. */
function withoutCode(text: string): string {
  const kept: string[] = [];
  let fence: string | null = null;
  for (const line of text.split("\n")) {
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === null && mark === undefined) kept.push(line.replace(/`[^`]*`/g, ""));
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence)) fence = null;
  }
  return kept.join("\n");
}
