/** Listens to the keys of the page while a part is shown. A dialog has its own keys. */
import { type Action, actionOf } from "../rules/shortcuts.ts";
import { useEffect } from "./html.ts";

const FIELDS = "input, textarea, select, [contenteditable]";

export function useKeys(handlers: Partial<Record<Action, () => void>>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const target = event.target as Element | null;
      if (document.querySelector("dialog[open]") !== null) return;
      const action = actionOf({
        key: event.key,
        isModified: event.ctrlKey || event.metaKey || event.altKey,
        isTyping: target?.closest(FIELDS) != null,
        isOnControl: target?.closest("button, a, summary") != null,
      });
      const handler = action === null ? undefined : handlers[action];
      if (handler === undefined) return;
      event.preventDefault();
      handler();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  });
}
