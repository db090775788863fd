/** What was just done, with a way back. Read aloud by screen readers; it stays until it is closed or time is up. */
import type { Notice } from "../rules/notices.ts";
import { useApp } from "./app-context.ts";
import { html, useEffect, type VNode } from "./html.ts";
import { Icon } from "./icons.ts";
import { Sentence } from "./states.ts";

/** Long enough to read it and to reach for the mouse; the key `u` and the timeline undo it later too. */
const SHOWN_MS = 12_000;

export function NoticeList({ close }: { close(id: number): void }): VNode {
  const { notices, place } = useApp();
  return html`<div class="notices" role="status" aria-live="polite">
    ${notices.shown
      .filter(({ project }) => project === place.root)
      .map((notice) => html`<${OneNotice} key=${notice.id} notice=${notice} close=${close} />`)}
  </div>`;
}

function OneNotice({ notice: { id, text, kind, call }, close }: { notice: Notice; close(id: number): void }): VNode {
  const { undo } = useApp();
  useEffect(() => {
    const timer = setTimeout(() => close(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return html`<div class=${`notice ${kind}`}>
    <span><${Sentence} text=${text} /></span>
    ${call !== null && html`<button class="quiet" onClick=${() => void undo(call)}>Undo</button>`}
    <button class="quiet icon-only" aria-label="Close" onClick=${() => close(id)}><${Icon} name="close" /></button>
  </div>`;
}
