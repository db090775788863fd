/**
 * Asks the language model of the person's choice, within the caps of session and day.
 *
 * The largest possible size is noted in the ledger before anything is sent, and the true one afterwards. Everything is
 * redacted once more. Whoever asks must do without an answer: a failure is logged and told as null.
 */
import { Failure } from "../../errors.ts";
import { estimatedTokens } from "../../logic/text/estimated-tokens.ts";
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
export async function askLlm(question: Question, of: AskedFor, world: AskWorld): Promise<string | null> {
  if (world.llm.identity === null || world.global.readOnly) return null;
  try {
    return await askWithinCaps(question, of, world);
  } catch (thrown) {
    // What is no failure of ours may quote anything.
    const why = thrown instanceof Failure ? thrown.message : "an unexpected error";
    world.log.warn(`the language model did not answer: ${why}`);
    return null;
  }
}

async function askWithinCaps(
  question: Question,
  { purpose, session }: AskedFor,
  { llm, global, settings, log, clock, ids, origin }: AskWorld,
): Promise<string | null> {
  const { provider, model = "", sessionTokens, dayTokens } = settings.llm;
  const { clean } = redactor();
  const request = { ...question, system: clean(question.system), prompt: clean(question.prompt) };
  const usage: Usage = {
    ...{ id: ids.next(), provider, model, purpose, session, at: clock.now() },
    inputTokens: estimatedTokens(request.system, request.prompt, JSON.stringify(request.schema)),
    outputTokens: request.maxTokens,
  };
  const caps = { sessionTokens, dayTokens };
  const noted = await global.apply([{ kind: "note_usage", usage, caps }], origin);
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
  } finally {
    await global.apply([{ kind: "note_usage", usage: { ...usage, ...used } }], origin);
  }
}
