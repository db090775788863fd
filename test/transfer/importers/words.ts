/** The words of a text, without the marks of Markdown. */
export const withoutMarks = (text: string): string[] => text.match(/[a-z]+/gi) ?? [];
