/** What things are called on the page. */
export const SHELF_LABELS: Readonly<Record<string, string>> = {
  memory: "Memories",
  decision: "Decisions",
  proposal: "Proposals",
  evidence: "Evidence",
  document: "Documents",
  code: "Code",
};

export const SCOPE_LABELS: Readonly<Record<string, string>> = {
  working: "this hour",
  project: "this project",
  global: "all projects",
};

export const SOURCE_LABELS: Readonly<Record<string, string>> = {
  user_explicit: "you said so",
  ai_inferred: "an agent concluded it",
  system_auto: "noted automatically",
  extraction: "taken from a session",
  manual: "entered by hand",
  code_index: "read from code",
  "file-index": "read from a file",
};

export const TYPES = [
  ...["fact", "preference", "convention", "gotcha", "bug_fix", "architecture", "pattern", "decision", "error"],
  ...["context", "progress", "documentation", "code_description", "observation", "summary", "message", "thought"],
] as const;

export const STATUS_LABELS: Readonly<Record<string, string>> = {
  active: "current",
  archived: "forgotten",
  superseded: "replaced",
  pruned: "faded",
  pending: "waiting for you",
  ratified: "ratified",
  rejected: "rejected",
};

/** `bug_fix` is read as "bug fix". */
export const spoken = (name: string): string => name.replaceAll("_", " ");

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** A session as its host calls it; of a number that nobody can tell apart, the end. */
export const sessionName = (session: string): string => (UUID.test(session) ? `session ${session.slice(-8)}` : session);

/** The last part of a path, for a switcher; the whole is shown beside it. */
export function folderName(path: string): string {
  const parts = path.split(/[\\/]+/).filter((part) => part !== "");
  return parts.at(-1) ?? path;
}
