/** A session in about a kilobyte: what was asked, what changed, how it ended. Shown and handed over, never searched. */

export interface SessionCard {
  session: string;
  /** The program that recorded it. */
  host: string;
  /** The last one. */
  branch: string | null;
  /** All that it was on. */
  branches: string[];
  from: number;
  to: number;
  /** `you`: the first prompt, in the person's own words; `program`: the title that the agent's program gave it. */
  title: { text: string; by: "you" | "program" | "branch" };
  /** The person's first words, without what was pasted. */
  asked: string | null;
  /** The agent's last closing question that was answered, and the answer. */
  said: { question: string; answer: string } | null;
  /** Most edited first; paths relative to the checkout. */
  files: { path: string; edits: number }[];
  /** Subjects of the commits made in it, oldest first. */
  commits: string[];
  /** The last test, build or lint run. */
  check: { command: string; passed: boolean; outcome: string } | null;
  /** The agent's last words; `program`: what its program summed up as pending or current work. */
  ended: { text: string; by: "agent" | "program" } | null;
  /** The agent asked, and nobody answered. */
  unanswered: string | null;
}

/** A passage of the agent's own words worth reading later. */
export interface Note {
  /** Stable across rebuilding: made from session and text. */
  id: string;
  text: string;
  at: number | null;
  files: string[];
}

export const NOTES_MOST = 12;
export const NOTE_CHARACTERS = 400;

/** What is made of the evidence of one session, and can be made again from it. */
export interface KeptSession {
  card: SessionCard;
  notes: Note[];
  /** How much evidence of the session it was made from. */
  turns: number;
  /** The number of the rules it was made by. */
  rules: number;
  errors: SessionError[];
}

export type ReadSession = Omit<KeptSession, "errors">;

/** An error that a tool call of the session ended with, once for each key. */
export interface SessionError {
  /** The same for the same error of another day. */
  key: string;
  line: string;
  at: number;
  /** What was changed until it was gone; null if it was not. */
  changed: string | null;
}

export type MetError = SessionError & { session: string };

export interface RecurringError {
  key: string;
  sessions: number;
  days: number;
  /** The latest one. */
  line: string;
  at: number;
  session: string;
  /** How it was last got over. */
  changed: string | null;
}

/** What a person said of a note. It outlives every rebuilding of the session. */
export interface NoteVerdict {
  note: string;
  session: string;
  verdict: "right" | "wrong" | "fixed";
  /** The memory that was made of it; null for a wrong one. */
  memory: string | null;
  by: string;
  at: number;
}

/** What a session, and perhaps a later one about the same matter, noted about a question, beside the hits that answer it. */
export interface SessionBeside {
  /** The latest first. */
  sessions: string[];
  /** For each a heading, then its notes by words shared with the question. */
  lines: string[];
}

export const HANDOVER_EVENTS = ["start", "prompt", "failure"] as const;

/** What a session was handed, and what came of it. */
export interface Handover {
  id: string;
  /** The session that it was handed to. */
  session: string;
  event: (typeof HANDOVER_EVENTS)[number];
  at: number;
  text: string;
  tokens: number;
  /** Sessions and items that it came from. */
  sources: string[];
  /** That it names. */
  files: string[];
  /** `file`: one of them was read or edited afterwards; `words`: the agent repeated a line; null while nobody knows. */
  use: "file" | "get" | "words" | "none" | null;
}
