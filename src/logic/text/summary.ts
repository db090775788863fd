/** A summary of at most 200 characters: the first sentence or line, truncated at a word. */
export const SUMMARY_LIMIT_CHARACTERS = 200;
const UNEVEN_SPACE = /[^\S ]|  /;

export function summaryOf(content: string): string {
  const line = firstLine(content.trim());
  // A text never has more characters than UTF-16 units, whose count is known.
  if (line.length <= SUMMARY_LIMIT_CHARACTERS || [...line].length <= SUMMARY_LIMIT_CHARACTERS) return line;
  const sentence = /^.{20,198}?(?:[.!?](?=\s|$)|[。！？])/u.exec(line)?.[0];
  if (sentence) return sentence;
  const cut = [...line].slice(0, SUMMARY_LIMIT_CHARACTERS - 1).join("");
  const space = cut.lastIndexOf(" ");
  return `${(space > 100 ? cut.slice(0, space) : cut).trimEnd()}…`;
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  const line = end < 0 ? text : text.slice(0, end);
  return UNEVEN_SPACE.test(line) ? line.replace(/\s+/g, " ") : line;
}
