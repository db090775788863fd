/** Between the headings of a title that was taken from a document. */
export const HEADING_SEPARATOR = " › ";

/** A text and its title as they are shown one after the other: no title that the text itself begins with. */
export function titleApart(title: string | null, text: string): { title: string | null; text: string } {
  if (!title) return { title: null, text };
  const heading = `${title.split(HEADING_SEPARATOR).at(-1)!}: `;
  if (text.startsWith(heading)) return { title, text: text.slice(heading.length) };
  return { title: text.startsWith(title) ? null : title, text };
}

/** The text behind its title. */
export function titled(title: string | null, text: string): string {
  const apart = titleApart(title, text);
  return apart.title === null ? apart.text : `${apart.title}: ${apart.text}`;
}
