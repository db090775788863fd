/** A text without halves of characters and NUL bytes, which no store takes: one of them must not cost a session. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll("\0", "");
