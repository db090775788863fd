/** A context window within its budget. */
import { type ContextWindow, WINDOW_PARTS } from "../../model/context/context-window.ts";
import { windowText } from "../../model/context/window-text.ts";
import type { Zone } from "../../model/time/zone.ts";
import { estimatedTokens } from "../text/estimated-tokens.ts";
import { trimParts } from "./trim-parts.ts";

/** What an agent pays: the text, and the messages that a host adds unseen. */
export const windowTokens = (window: ContextWindow, zone: Zone): number =>
  window.ghostMessages.reduce(
    (sum, { content }) => sum + estimatedTokens(content),
    estimatedTokens(windowText(window, zone)),
  );

export const trimWindow = (window: ContextWindow, budgetTokens: number, zone: Zone): ContextWindow =>
  trimParts(window, WINDOW_PARTS, { tokensOf: (whole) => windowTokens(whole, zone), budgetTokens });
