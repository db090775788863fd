/** The part of a text that is compared. A statement stands at the beginning; the rest gives reasons and details. */
const COMPARED_CHARACTERS = 600;

export const openingOf = (text: string): string => text.trim().slice(0, COMPARED_CHARACTERS).toWellFormed();
