/** Logs evidence: a written conversation is kept with its turns, anything else as plain text. */
import { turnsIn } from "../../logic/text/turns.ts";
import type { DraftWorld } from "../../ports/world.ts";
import { type EvidenceKept, keepEvidence } from "./keep-evidence.ts";

export interface LogRequest {
  text: string;
  title?: string | undefined;
  session?: string | undefined;
  at?: number | undefined;
}

export function logEvidence({ text, ...rest }: LogRequest, world: DraftWorld): Promise<EvidenceKept> {
  return keepEvidence({ ...rest, text, turns: turnsIn(text) }, world);
}
