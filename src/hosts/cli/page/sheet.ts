/**
 * The sheet that standard output is: how wide, and whether it shows colours.
 *
 * Pipes and terminals that understand no codes get plain text, which is never wrapped. Without colours a terminal
 * still wraps: NO_COLOR says nothing about rows.
 */
import type { Io } from "../terminal.ts";
import type { Sheet } from "./lay-out.ts";

/** What the surroundings say about the terminal. */
export interface TerminalKind {
  /** It understands no codes. */
  readonly isDumb: boolean;
  /** Colours are wanted even in a pipe. */
  readonly isColourForced: boolean;
}

export const UNKNOWN_TERMINAL: TerminalKind = { isDumb: false, isColourForced: false };

/** One bit a channel; fewer are no colours. */
const LEAST_COLOUR_BITS = 3;

/** Null: print as into a pipe. */
export function sheetOf(
  { stdout }: Pick<Io, "stdout">,
  { isDumb, isColourForced }: TerminalKind = UNKNOWN_TERMINAL,
): Sheet | null {
  const isScreen = stdout.isTTY === true && !isDumb;
  if (!isScreen) return isColourForced && !isDumb ? { columns: null, colours: true } : null;
  // Node knows the terminal and NO_COLOR.
  const colours = isColourForced || (stdout.getColorDepth?.() ?? 0) >= LEAST_COLOUR_BITS;
  return { columns: stdout.columns || null, colours };
}
