/** Keys and what they do, for the list that `?` shows and for the page itself. */
export type Action = "next" | "previous" | "yes" | "no" | "edit" | "undo" | "open" | "search" | "help" | "close";

interface Shortcut {
  readonly action: Action;
  readonly keys: readonly string[];
  readonly says: string;
}

export const SHORTCUTS: readonly Shortcut[] = [
  { action: "next", keys: ["j", "ArrowDown"], says: "the next one" },
  { action: "previous", keys: ["k", "ArrowUp"], says: "the one before" },
  { action: "yes", keys: ["y"], says: "ratify, accept or merge" },
  { action: "no", keys: ["n"], says: "reject or dismiss" },
  { action: "edit", keys: ["e"], says: "edit" },
  { action: "undo", keys: ["u"], says: "undo what you did last" },
  { action: "open", keys: ["Enter"], says: "open it" },
  { action: "search", keys: ["/"], says: "search" },
  { action: "help", keys: ["?"], says: "these keys" },
  { action: "close", keys: ["Escape"], says: "close" },
];

export interface Press {
  readonly key: string;
  /** With Control, Alt or the command key: the browser's own. */
  readonly isModified: boolean;
  /** In a field, letters are text. */
  readonly isTyping: boolean;
  /** On a button or link, Enter presses it. */
  readonly isOnControl: boolean;
}

export function actionOf({ key, isModified, isTyping, isOnControl }: Press): Action | null {
  if (isModified) return null;
  const found = SHORTCUTS.find(({ keys }) => keys.includes(key))?.action ?? null;
  if (isTyping) return found === "close" ? found : null;
  return isOnControl && found === "open" ? null : found;
}

/** The position after a step in a list; it stays within it. */
export function stepped(position: number, count: number, by: 1 | -1): number {
  if (count === 0) return -1;
  return Math.min(count - 1, Math.max(0, position + by));
}
