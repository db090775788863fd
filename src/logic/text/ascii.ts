/**
 * ASCII texts have patterns of their own.
 *
 * Preparing a pattern with the letters of all scripts takes about a millisecond in a new process, and most texts are
 * ASCII, for which a plain pattern finds the same. The other one is written inside a function, so that only a text that
 * needs it pays for it.
 */
const ASCII = /^[\x00-\x7f]*$/;

export const isAscii = (text: string): boolean => ASCII.test(text);

export const startsWithCapital = (text: string): boolean => {
  const first = text.charCodeAt(0);
  return first < 128 ? first >= 65 && first <= 90 : /^\p{Lu}/u.test(text);
};
