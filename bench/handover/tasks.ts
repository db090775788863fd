/** The corpus of hand-overs: chats as transcripts, commits, and bug reports that need what was decided in one of them. */
import { jsonLines, writeTranscript } from "../sessions/rows.ts";

export const KINDS = ["conversation", "amended", "history"] as const;
export const PROJECTS = ["plain", "amended"] as const;

export interface Task {
  id: string;
  prompt: string;
  kind: (typeof KINDS)[number];
  sessions: string[];
  commit?: string;
  facts: string[];
  /** Of an amended one: the rule that holds now. */
  fresh?: string[];
}

export interface Chat {
  session: string;
  pool: (typeof PROJECTS)[number] | "both";
  start: string;
  turns: { role: "user" | "assistant"; text: string }[];
}

interface Commit {
  id: string;
  subject: string;
  body: string;
}

export const readTasks = () => jsonLines<Task>("handover", "tasks.jsonl");
export const readChats = () => jsonLines<Chat>("handover", "sessions.jsonl");
export const readCommits = () => jsonLines<Commit>("handover", "commits.jsonl");

export const projectOf = ({ kind }: Task): (typeof PROJECTS)[number] => (kind === "amended" ? "amended" : "plain");

/** Some reports are asked twice, of a chat and of a commit: without the one, memory may still know it from the other. */
export const goldSessions = ({ prompt, sessions }: Task, tasks: readonly Task[]): string[] => [
  ...new Set([...sessions, ...tasks.flatMap((other) => (other.prompt === prompt ? other.sessions : []))]),
];

const TURN_MS = 60_000;

/** As Claude Code writes it. */
export function transcriptOfChat({ session, start, turns }: Chat, cwd: string, folder: string): string {
  const lines = turns.map(({ role, text }, index) => ({
    type: role,
    uuid: `${session}-${index}`,
    sessionId: session,
    cwd,
    gitBranch: "main",
    version: "2.0.0",
    timestamp: new Date(Date.parse(start) + index * TURN_MS).toISOString(),
    message: { role, content: role === "user" ? text : [{ type: "text", text }] },
  }));
  return writeTranscript(session, lines, folder);
}
