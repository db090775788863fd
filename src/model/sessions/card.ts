/** A session in about a kilobyte: what was asked, what changed, how it ended. Shown and handed over, never searched. */

export interface SessionCard {
  session: string;
  /** The program that recorded it. */
  host: string;
  branch: string | null;
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
