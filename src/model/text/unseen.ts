/**
 * Whether a text has nothing but spaces and characters that nobody sees. Without a schema, because hooks ask too.
 *
 * The first pattern spares most texts the second, which is slow to build.
 */
export const isUnseen = (text: string): boolean =>
  !/[!-~]/.test(text) && /^[\s\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
