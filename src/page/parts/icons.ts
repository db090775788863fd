/** Icons: strokes on a grid of 20, drawn for this page. They say nothing that the text beside them does not. */
import { html, type VNode } from "./html.ts";

const PATHS = {
  search: "M9 3.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 0 0 0-11M13 13l4 4",
  inbox: "M3 11l2.5-7h9L17 11v5H3zM3 11h4l1 2h4l1-2h4",
  timeline: "M5 3v14M5 6h4M5 11h8M5 15h5M5 6h.01",
  graph:
    "M5 5.5a1.5 1.5 0 1 0 .01 0M15 4.5a1.5 1.5 0 1 0 .01 0M11 14.5a1.5 1.5 0 1 0 .01 0M6.3 6.6l4 7M13.6 5.8L6.6 6.6M14.4 7.4l-2.7 6.6",
  project: "M3 5h5l1.5 2H17v9H3z",
  pin: "M8 3h4l-.5 5l2.5 2.5H6L8.5 8zM10 10.5V17",
  edit: "M4 16l.8-3.2L13 4.6l2.4 2.4l-8.2 8.2z",
  up: "M10 16V5M5.5 9.5L10 5l4.5 4.5",
  down: "M10 4v11M5.5 10.5L10 15l4.5-4.5",
  forget: "M4 6h12M8 6V4h4v2M5.5 6l.8 10h7.4l.8-10",
  close: "M5 5l10 10M15 5L5 15",
  check: "M4 10.5l4 4l8-9",
  theme: "M10 3a7 7 0 1 0 7 7a5 5 0 0 1-7-7",
  more: "M5 8l5 5l5-5",
  back: "M12 4l-6 6l6 6",
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = ({ name }: { name: IconName }): VNode =>
  html`<svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false"><path d=${PATHS[name]} /></svg>`;
