/** Texts that are cut to a length. Half of a pair, which a cut may leave, is no character. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
}

/** The same, with a sign that there is more. */
export function cutLine(text: string, limit: number): string {
  return text.length <= limit ? text : `${cut(text, limit - 1)}…`;
}

/** The same, on one line. */
export function shownLine(text: string, limit: number): string {
  return cutLine(text.replace(/\s+/g, " ").trim(), limit);
}
