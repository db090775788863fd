/**
 * How many columns a text takes on a terminal.
 *
 * Chinese, Japanese and Korean characters and emoji take two, marks that combine with the character before them none.
 * What a person sees as one character is measured as one, so a family of emoji is two columns wide, not eight.
 */
const ASCII = /^[\x20-\x7e]*$/;
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}]/u;
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Regional_Indicator}{2}|\p{Extended_Pictographic}.*\ufe0f|[0-9#*]\ufe0f)/u;
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;

let segmenter: Intl.Segmenter | undefined;

/** What a person sees as single characters. */
export function charactersIn(text: string): string[] {
  if (ASCII.test(text)) return [...text];
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  return charactersIn(text).reduce((sum, character) => sum + characterWidth(character), 0);
}

function characterWidth(character: string): number {
  if (WITHOUT_WIDTH.test(character)) return 0;
  return WIDE.test(character) || EMOJI.test(character) ? 2 : 1;
}

/** The beginning of a text that fits, with an ellipsis if it was cut. */
export function fitted(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  const characters = charactersIn(text);
  let width = 1;
  let end = 0;
  for (; end < characters.length; end++) {
    width += characterWidth(characters[end]!);
    if (width > columns) break;
  }
  return columns < 1 ? "" : `${characters.slice(0, end).join("").trimEnd()}…`;
}
