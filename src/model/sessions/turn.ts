/**
 * What a session leaves word for word: turns, from one prompt to the next, in parts that say where they come from.
 *
 * Everything told of a session later (its card, its notes, the errors it met) is made from these alone.
 */

/** `own` was typed by the person, `pasted` came with it from elsewhere. */
export const PART_LABELS = ["own", "pasted", "agent", "tool"] as const;
export type PartLabel = (typeof PART_LABELS)[number];

/** What a tool was called for, as far as that can be seen. */
export interface ToolCall {
  name: string;
  /** Of a shell. */
  command: string | null;
  /** Of a file, relative to the checkout where it lies within it. */
  path: string | null;
  /** Whether it changed the file. */
  edits: boolean;
  failed: boolean;
}

export interface Part {
  label: PartLabel;
  /** Redacted. Of a tool: both ends of what it printed, `PRINTED_CHARACTERS` at most. */
  text: string;
  at: number | null;
  /** Only of a tool. */
  call?: ToolCall;
  /** Written by the agent's program, not by the agent: its title for the session, or its summary of what came before. */
  written?: "title" | "compaction";
}

export interface SessionTurn {
  at: number | null;
  branch: string | null;
  parts: Part[];
}

export const PRINTED_CHARACTERS = 1_000;
