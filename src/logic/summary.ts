/** A summary of at most 200 characters: the first sentence or line, cut at a word. */
export const SUMMARY_LIMIT_CHARACTERS = 200;

export function summaryOf(content: string): string {
  const line = content
    .trim()
    .split(/\n\s*\n|\n/, 1)[0]!
    .replace(/\s+/g, " ");
  if ([...line].length <= SUMMARY_LIMIT_CHARACTERS) return line;
  const sentence = /^.{20,198}?(?:[.!?](?=\s|$)|[。！？])/u.exec(line)?.[0];
  if (sentence) return sentence;
  const cut = [...line].slice(0, SUMMARY_LIMIT_CHARACTERS - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > 100 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
