/** Who says what is remembered, by where it comes from. */
import type { Source } from "./item.ts";

export const SPEAKERS = ["person", "agent", "event", "captured", "code", "file"] as const;
export type Speaker = (typeof SPEAKERS)[number];

/** In the word that costs least. */
export const SPEAKER_OF: Readonly<Record<Source, Speaker>> = {
  user_explicit: "person",
  manual: "person",
  ai_inferred: "agent",
  system_auto: "event",
  extraction: "captured",
  code_index: "code",
  "file-index": "file",
};
