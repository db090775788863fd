/** An export that a person chose: what it holds, for showing what differs. The server checks it, line by line. */
export interface Conflict {
  readonly id: string;
  readonly handle: string;
  readonly shelf: string;
  readonly reason: string;
  /** The version in the file; null if it has none to show. */
  readonly theirs: { readonly title: string | null; readonly content: string } | null;
}

interface ReportedConflict {
  readonly id: string;
  readonly handle: string;
  readonly shelf: string;
  readonly reason: string;
  readonly edge: unknown;
}

/** What the server reported, with the file's own version beside it. Lines that cannot be read are the server's business. */
export function conflictsWith(text: string, reported: readonly ReportedConflict[]): Conflict[] {
  const wanted = new Set(reported.map(({ id }) => id));
  const theirs = new Map<string, Conflict["theirs"]>();
  for (const line of text.split("\n")) {
    const item = itemIn(line);
    if (item !== null && wanted.has(item.id)) theirs.set(item.id, item);
  }
  return reported
    .filter(({ edge }) => edge === null)
    .map(({ id, handle, shelf, reason }) => ({ id, handle, shelf, reason, theirs: theirs.get(id) ?? null }));
}

function itemIn(line: string): { id: string; title: string | null; content: string } | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const { id, title, content } = (value ?? {}) as Record<string, unknown>;
  if (typeof id !== "string" || typeof content !== "string") return null;
  return { id, title: typeof title === "string" ? title : null, content };
}
