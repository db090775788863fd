/** Entries for surfaces, each unlike the others unless told otherwise. */
import type { SurfaceEntry, SurfaceSettings } from "../../src/briefing/surface-lines.ts";
import { stems } from "../../src/text/words.ts";

export const SETTINGS: SurfaceSettings = {
  targetTokens: 400,
  hardTokens: 550,
  recentShare: 0.3,
  lineCharacters: 200,
  maxLines: 20,
};

let made = 0;

export function entry(set: Partial<SurfaceEntry> = {}): SurfaceEntry {
  made += 1;
  const line = set.line ?? `- line ${made} says word${made} and thing${made} about part${made}`;
  const plain = {
    id: `e${made}`,
    shelf: "memory",
    category: "context",
    rank: 0.5,
    createdAt: made,
    isCaptured: false,
  } as const;
  return { ...plain, line, words: stems(line), ...set };
}
