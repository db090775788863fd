/**
 * Lets the language model of the person's choice say what a stretch of work taught.
 *
 * Without one, or if it fails, what the built-in extractor chose stays.
 */
import { capturedIn } from "../../logic/capture/llm/captured.ts";
import { extractionQuestion } from "../../logic/capture/llm/extraction.ts";
import { CAPTURED_CHARACTERS, type Captured } from "../../model/capture/stretch.ts";
import { cutLine } from "../../model/text/cut.ts";
import { type AskWorld, askLlm } from "./ask-llm.ts";
import { redactor } from "../redaction/redact.ts";

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
