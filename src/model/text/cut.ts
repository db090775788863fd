/** Truncates text to a length, without leaving half of a surrogate pair. */
export function cut(text: string, limit: number): string {
  return text.length <= limit ? text : text.slice(0, limit).replace(/[\ud800-\udbff]$/, "");
}

/** The same, with an ellipsis if anything was removed. */
export function cutLine(text: string, limit: number): string {
  return text.length <= limit ? text : `${cut(text, limit - 1)}…`;
}

/** The same, on one line. */
export function shownLine(text: string, limit: number): string {
  return cutLine(text.replace(/\s+/g, " ").trim(), limit);
}
