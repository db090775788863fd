/**
 * Asks the language model of the person's choice, within the caps of session and day.
 *
 * The largest possible size is noted in the ledger before each attempt, and what was used afterwards. Everything is
 * redacted once more. Whoever asks must do without an answer: a failure is logged and told as null.
 */
import { Failure } from "../../errors.ts";
import { estimatedTokens } from "../../logic/text/estimated-tokens.ts";
import type { Question } from "../../logic/capture/llm/extraction.ts";
import type { TokenSum, Usage, UsageCaps, UsagePurpose } from "../../model/care/usage.ts";
import type { Attempts, LlmReply } from "../../ports/llm.ts";
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
    world.log.warn(`no answer from the language model: ${reasonOf(thrown)}`);
    return null;
  }
}

/** What is no failure of ours may quote anything. */
const reasonOf = (thrown: unknown): string => (thrown instanceof Failure ? thrown.message : "an unexpected error");

async function askWithinCaps(question: Question, of: AskedFor, world: AskWorld): Promise<string | null> {
  const { llm, settings, log, clock, ids } = world;
  const { provider, model = "" } = settings.llm;
  const { clean } = redactor();
  const request = { ...question, system: clean(question.system), prompt: clean(question.prompt) };
  const account = openAccount(
    {
      ...{ id: ids.next(), provider, model, ...of, at: clock.now() },
      inputTokens: estimatedTokens(request.system, request.prompt, JSON.stringify(request.schema)),
      outputTokens: request.maxTokens,
    },
    world,
  );
  let reply: LlmReply | null = null;
  try {
    reply = await llm.complete(request, account);
    return reply.text;
  } finally {
    // What was paid for is not thrown away because it cannot be noted; the largest size stays noted.
    await account
      .settle(reply)
      .catch((thrown) => log.warn(`what the language model used could not be noted: ${reasonOf(thrown)}`));
  }
}

interface Account extends Attempts {
  /** Notes what was used in the end; null if there was no reply. */
  settle(reply: LlmReply | null): Promise<void>;
}

/** One line of the ledger: the prompt of every attempt that may be charged, and a reply of the largest size until it is known. */
function openAccount(
  largest: Usage,
  { global, settings, origin }: Pick<AskWorld, "global" | "settings" | "origin">,
): Account {
  const { sessionTokens, dayTokens } = settings.llm;
  let [charged, isNoted] = [0, false];
  const inputOf = (attempts: number) => attempts * largest.inputTokens;
  const note = async (tokens: TokenSum, caps?: UsageCaps) => {
    const usage = { ...largest, ...tokens };
    return global.apply([{ kind: "note_usage", usage, ...(caps && { caps }) }], origin);
  };
  return {
    async begin() {
      const tokens = { inputTokens: inputOf(charged + 1), outputTokens: largest.outputTokens };
      const noted = await note(tokens, { sessionTokens, dayTokens });
      if (noted.status === "conflict") throw new Failure("refused", noted.reason, "Raise the cap in your settings.");
      charged += 1;
      isNoted = true;
    },
    costNothing() {
      charged -= 1;
    },
    async settle(reply) {
      if (!isNoted) return;
      // A reply that did not come may have been written all the same.
      const { inputTokens, outputTokens } = reply
        ? { ...reply, inputTokens: inputOf(charged - 1) + reply.inputTokens }
        : { inputTokens: inputOf(charged), outputTokens: charged > 0 ? largest.outputTokens : 0 };
      await note({ inputTokens, outputTokens });
    },
  };
}
