/** Maintenance as these tests run it, and what it leaves. */
import { dispatch } from "../../src/catalog/dispatch.ts";
import audit from "../../src/journal/verbs/audit.ts";
import maintenance from "../../src/maintenance/verbs/maintain.ts";
import type { RememberRequest } from "../../src/memory/remember.ts";
import { itemIn, keep, type TestWorld } from "../test-world.ts";

export const DAY_MS = 86_400_000;
const INFERRED = { source: "ai_inferred" } as const;

export const upkeep = async (world: TestWorld) => (await dispatch(maintenance, {}, world)).answer;
export const stagesOf = async (world: TestWorld) => Object.values((await upkeep(world)).memories);
export const statusOf = async (world: TestWorld, id: string, scope: "project" | "global" = "project") =>
  (await itemIn(world, id, { scope }))?.status;
export const isChainSound = async (world: TestWorld) =>
  (await dispatch(audit, { verify: true }, world)).answer.verification?.ok;
export const infer = (world: TestWorld, content: string, set: Partial<RememberRequest> = {}) =>
  keep(world, content, { ...INFERRED, type: "context", ...set });
