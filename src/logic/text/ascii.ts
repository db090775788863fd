/**
 * ASCII texts have patterns of their own.
 *
 * Preparing a pattern with the letters of all scripts takes about a millisecond in a new process, and most texts are
 * ASCII, for which a plain pattern finds the same.
 */
const ASCII = /^[\x00-\x7f]*$/;

export const isAscii = (text: string): boolean => ASCII.test(text);
