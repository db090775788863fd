/** Lets the language model of the person's choice say what a stretch of work taught. Without one, nothing is said. */
import { capturedIn } from "../../logic/capture/llm/captured.ts";
import { extractionQuestion } from "../../logic/capture/llm/extraction.ts";
import type { SessionStep } from "../../logic/sessions/fold-session.ts";
import { turnIn, turnText } from "../../logic/sessions/packed-turn.ts";
import { CAPTURED_CHARACTERS, type Captured } from "../../model/capture/stretch.ts";
import type { SessionTurn } from "../../model/sessions/turn.ts";
import { cutLine } from "../../model/text/cut.ts";
import type { World } from "../../ports/world.ts";
import { type AskWorld, askLlm } from "./ask-llm.ts";
import { redactor } from "../redaction/redact.ts";

/** What it chose at each end of work among the steps, in order. `unread`: evidence of the first one that is kept already. */
export async function chosenByLlm(
  steps: readonly SessionStep[],
  unread: readonly string[],
  session: string,
  world: AskWorld & Pick<World, "project">,
): Promise<Captured[][]> {
  if (world.llm.identity === null || !steps.some((step) => "ended" in step)) return [];
  const kept = new Map((await world.project.items("evidence", unread)).map((item) => [item.id, item]));
  let turns = unread.flatMap((id) => {
    const item = kept.get(id);
    const turn = item && turnIn(item);
    return turn ? [spoken(turn)] : [];
  });
  const chosen: Captured[][] = [];
  for (const step of steps) {
    if ("turn" in step) {
      turns.push(spoken(step.turn));
      continue;
    }
    chosen.push(await capturedByLlm(turns, session, world));
    turns = [];
  }
  return chosen;
}

/** Without what tools printed, which anybody may have written. What was pasted cannot begin a line as the person's. */
const spoken = ({ parts, ...turn }: SessionTurn): string =>
  turnText({ ...turn, parts: parts.filter(({ label }) => label !== "tool") });

/** `turns`: the redacted texts of the stretch, in order. */
export async function capturedByLlm(turns: readonly string[], session: string, world: AskWorld): Promise<Captured[]> {
  if (world.llm.identity === null || turns.every((turn) => turn.trim() === "")) return [];
  const reply = await askLlm(extractionQuestion(turns), { purpose: "extract", session }, world);
  if (reply === null) return [];
  const captured = capturedIn(reply, turns);
  if (captured !== null) return captured.map(redacted);
  world.log.warn("the reply of the language model cannot be read; nothing is captured of this stretch of work");
  return [];
}

/** A model may invent what looks like a secret. */
function redacted(captured: Captured): Captured {
  const { clean } = redactor();
  const { content, subject } = captured;
  return { ...captured, content: cutLine(clean(content), CAPTURED_CHARACTERS), subject: subject && clean(subject) };
}
