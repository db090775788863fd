/** Leaves out of a context window what does not fit its budget: from its last part, and there from the end. */
import { type ContextWindow, WINDOW_PARTS } from "../../model/context/context-window.ts";
import { windowText } from "../../model/context/window-text.ts";
import { estimateTokens } from "../text/tokens.ts";

/** What an agent pays: the text, and the messages that a host adds unseen. */
export const windowTokens = (window: ContextWindow): number =>
  window.ghostMessages.reduce((sum, { content }) => sum + estimateTokens(content), estimateTokens(windowText(window)));

export function trimWindow(window: ContextWindow, budgetTokens: number): ContextWindow {
  let trimmed = window;
  while (windowTokens(trimmed) > budgetTokens) {
    const last = WINDOW_PARTS.findLast((part) => trimmed[part].length > 0);
    if (last === undefined) break;
    trimmed = { ...trimmed, [last]: trimmed[last].slice(0, -1) };
  }
  return trimmed;
}
