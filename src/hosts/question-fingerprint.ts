/** Ties an answer to the very question that was shown, and to the call it was asked for: either one changed, another print. */
import { createHash } from "node:crypto";
import type { Question } from "../model/decisions/question.ts";

export const questionFingerprint = (verb: string, input: unknown, question: Question): string =>
  createHash("sha256")
    .update(JSON.stringify([verb, input, question]))
    .digest("base64url");
