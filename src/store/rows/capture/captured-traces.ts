/** What tells of erased items in events and checkpoints. */

export interface CapturedTraces {
  ids: readonly string[];
  contents: readonly string[];
  sessions: readonly string[];
}

/** Texts are found as they are written in JSON. */
export const tracedTexts = ({ ids, contents }: CapturedTraces): string[] =>
  [...ids, ...contents.map((text) => JSON.stringify(text).slice(1, -1))].filter((text) => text !== "");
