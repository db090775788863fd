/** How a nudge is named among what a session was given. */
import type { NudgeKind } from "../sessions/picks.ts";

const BEGINNING = "nudge ";

export const nudgeKey = (kind: NudgeKind): string => BEGINNING + kind;

export const isNudge = (key: string): boolean => key.startsWith(BEGINNING);
