/**
 * One line that asks an agent to keep what was just settled: with a prompt that answers its closing question, or corrects
 * it. Once a session for each kind.
 */
import { type NudgeKind, nudgeFor } from "../../logic/sessions/picks.ts";
import { eventsOfLine, hostOfTranscript } from "../../logic/capture/transcript/read-line.ts";
import type { World } from "../../ports/world.ts";

/** A long last message and what stands around it. */
const TAIL_BYTES = 128_000;

export const nudgeKey = (kind: NudgeKind): string => `nudge ${kind}`;

/** `own`: what the person typed. `given`: what the session has been given. */
export async function nudgeWith(
  own: string,
  { transcript, given }: { transcript: string | null; given: ReadonlySet<string> },
  { transcripts, settings }: Pick<World, "transcripts" | "settings">,
): Promise<NudgeKind | null> {
  if (settings.context.nudges === "off") return null;
  const corrects = nudgeFor(null, own);
  const kind = corrects ?? nudgeFor(transcript === null ? null : await lastWords(transcript, transcripts), own);
  return kind === null || given.has(nudgeKey(kind)) ? null : kind;
}

/** Read from the file, because nobody may have taken it in yet. The prompt itself may stand there already. */
async function lastWords(path: string, transcripts: World["transcripts"]): Promise<string | null> {
  const file = await transcripts.find(path);
  if (!file) return null;
  const from = Math.max(0, file.bytes - TAIL_BYTES);
  const { lines = [] } = (await transcripts.read(path, from, TAIL_BYTES, { isFinal: true })) ?? {};
  const host = hostOfTranscript(lines);
  if (host === null) return null;
  const events = lines.flatMap((line, index) => eventsOfLine(line, index, host).events);
  const said = events.filter(({ kind }) => kind !== "title" && kind !== "start");
  const last = said.at(-1)?.kind === "prompt" ? said.at(-2) : said.at(-1);
  return last?.kind === "reply" ? last.text : null;
}
