/** What came of a hand-over, as far as the session itself shows it. */
import type { Handover } from "../../model/sessions/card.ts";
import type { SessionTurn } from "../../model/sessions/turn.ts";
import { runsOf } from "./quoted-runs.ts";

const GET = /stele.*[_-]get$/i;
/** Five-word runs of the text in the agent's own words: one may be a common phrase. */
const SHARED_RUNS_LEAST = 2;

/** The strongest sign: a named file was read or edited, an item was opened, a line came back in the agent's words. */
export function useOf(
  { at, files, text }: Pick<Handover, "at" | "files" | "text">,
  turns: readonly SessionTurn[],
): NonNullable<Handover["use"]> {
  const parts = turns.flatMap((turn) => turn.parts).filter((part) => part.at !== null && part.at >= at);
  const touches = (path: string) => files.some((file) => path === file || path.endsWith(`/${file}`));
  if (parts.some(({ call }) => call?.path && touches(call.path))) return "file";
  if (parts.some(({ call }) => call && GET.test(call.name))) return "get";
  const handed = runsOf([text]);
  const said = parts.flatMap((part) => (part.label === "agent" ? [part.text] : []));
  let shared = 0;
  for (const run of runsOf(said)) if (handed.has(run)) shared += 1;
  return shared >= SHARED_RUNS_LEAST ? "words" : "none";
}
