/**
 * Lets the language model of the person's choice say what a stretch of work taught.
 *
 * Without one, or if it fails, what the built-in extractor chose stays.
 */
import { capturedIn } from "../../logic/capture/llm/captured.ts";
import { extractionQuestion } from "../../logic/capture/llm/extraction.ts";
import { CAPTURED_CHARACTERS, type Captured } from "../../model/capture/stretch.ts";
import { cutLine } from "../../model/text/cut.ts";
import type { EvidenceSpan, SessionPart } from "../../logic/capture/fold-session.ts";
import type { World } from "../../ports/world.ts";
import { type AskWorld, askLlm } from "./ask-llm.ts";
import { redactor } from "../redaction/redact.ts";

/** The parts of a session with what the model chose of each finished stretch. `earlier`: evidence of the first one. */
export async function chosenByLlm(
  parts: readonly SessionPart[],
  earlier: readonly EvidenceSpan[],
  session: string,
  world: AskWorld & Pick<World, "project">,
): Promise<SessionPart[]> {
  if (world.llm.identity === null || !parts.some(({ ended }) => ended)) return [...parts];
  const kept = await world.project.items(
    "evidence",
    earlier.map(({ id }) => id),
  );
  const texts = new Map(kept.map(({ id, content }) => [id, content]));
  let turns = earlier.flatMap(({ id }) => texts.get(id) ?? []);
  const chosen: SessionPart[] = [];
  for (const part of parts) {
    turns.push(...part.turns.map(({ said }) => said.map(({ role, text }) => `${role}: ${text}`).join("\n")));
    if (!part.ended) {
      chosen.push(part);
      continue;
    }
    const { stretch } = part.ended;
    const memories = await capturedByLlm(turns, stretch.memories, session, world);
    chosen.push({ ...part, ended: { ...part.ended, stretch: { ...stretch, memories } } });
    turns = [];
  }
  return chosen;
}

/** `turns`: the redacted texts of the stretch, in order. `fallback`: what the built-in extractor chose. */
export async function capturedByLlm(
  turns: readonly string[],
  fallback: readonly Captured[],
  session: string,
  world: AskWorld,
): Promise<Captured[]> {
  if (world.llm.identity === null || turns.every((turn) => turn.trim() === "")) return [...fallback];
  const reply = await askLlm(extractionQuestion(turns), { purpose: "extract", session }, world);
  if (reply === null) return [...fallback];
  const captured = capturedIn(reply, turns, fallback);
  if (captured !== null) return captured.map(redacted);
  world.log.warn("the reply of the language model cannot be read; the built-in extractor is used");
  return [...fallback];
}

/** A model may invent what looks like a secret. */
function redacted(captured: Captured): Captured {
  const { clean } = redactor();
  const { content, subject } = captured;
  return { ...captured, content: cutLine(clean(content), CAPTURED_CHARACTERS), subject: subject && clean(subject) };
}
