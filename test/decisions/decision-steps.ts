/** The steps that tests of decisions share: proposing, and a person who answers. */
import { type Ask, dispatch } from "../../src/catalog/dispatch.ts";
import type { Reply } from "../../src/catalog/question.ts";
import decisions from "../../src/decisions/verbs/decisions.ts";
import propose from "../../src/decisions/verbs/propose.ts";
import ratify from "../../src/decisions/verbs/ratify.ts";
import type { TestWorld } from "../test-world.ts";

export const DAY = 86_400_000;
export const YES: Reply = { action: "accept", values: { ratify: true, rollback: true } };

type More = Record<string, unknown>;

export const stage = async (world: TestWorld, decision: string, more: More = {}) =>
  (await dispatch(propose, { subject: "auth", decision, ...more }, world)).answer.id;

export async function settle(world: TestWorld, id: string, more: More = {}, reply: Reply = YES) {
  const asked: string[] = [];
  const ask: Ask = async ({ message }) => {
    asked.push(message);
    return reply;
  };
  return { ...(await dispatch(ratify, { id, ...more }, world, { ask })).answer, asked };
}

/** Proposes and ratifies at once. */
export async function decide(world: TestWorld, decision: string, more: More = {}): Promise<string> {
  const id = await stage(world, decision, more);
  // Several of one subject stay in force only if nothing is replaced by default.
  await settle(world, id, more["supersedes"] === undefined ? { supersedes: [] } : {});
  return id;
}

export const held = async (world: TestWorld, subject?: string, more: More = {}) =>
  (await dispatch(decisions, { ...(subject !== undefined && { subject }), ...more }, world)).answer.hits;
