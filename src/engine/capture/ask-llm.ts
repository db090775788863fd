/**
 * Asks the language model of the person's choice, within the caps of session and day.
 *
 * The largest possible size is noted in the ledger before anything is sent, and the true one afterwards. Everything is
 * redacted once more. Whoever asks must do without an answer: a failure is logged and told as null.
 */
import { Failure } from "../../errors.ts";
import { estimatedTokens } from "../../logic/capture/llm/tokens.ts";
import type { Question } from "../../logic/capture/llm/extraction.ts";
import type { Usage, UsagePurpose } from "../../model/care/usage.ts";
import type { World } from "../../ports/world.ts";
import { redactor } from "../redaction/redact.ts";

export type AskWorld = Pick<World, "llm" | "global" | "settings" | "clock" | "ids" | "origin" | "log">;

export interface AskedFor {
  purpose: UsagePurpose;
  session: string;
}

/** Null if there is no answer. */
export async function askLlm(
  question: Question,
  { purpose, session }: AskedFor,
  world: AskWorld,
): Promise<string | null> {
  const { llm, global, settings, log, clock, ids } = world;
  const { provider, model = "", sessionTokens, dayTokens } = settings.llm;
  if (llm.identity === null || global.readOnly) return null;
  const { clean } = redactor();
  const request = { ...question, system: clean(question.system), prompt: clean(question.prompt) };
  const usage: Usage = {
    ...{ id: ids.next(), provider, model, purpose, session, at: clock.now() },
    inputTokens: estimatedTokens(request.system, request.prompt, JSON.stringify(request.schema)),
    outputTokens: request.maxTokens,
  };
  const caps = { sessionTokens, dayTokens };
  const noted = await global.apply([{ kind: "note_usage", usage, caps }], world.origin);
  if (noted.status === "conflict") {
    log.warn(`the language model is not asked: ${noted.reason}`);
    return null;
  }
  // What was sent may have been paid for, whatever became of it.
  let used: Partial<Usage> = { outputTokens: 0 };
  try {
    const { text, inputTokens, outputTokens } = await llm.complete(request);
    used = { inputTokens, outputTokens };
    return text;
  } catch (thrown) {
    log.warn(`the language model did not answer: ${thrown instanceof Failure ? thrown.message : "a defect"}`);
    return null;
  } finally {
    await global.apply([{ kind: "note_usage", usage: { ...usage, ...used } }], world.origin);
  }
}
