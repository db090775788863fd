/** Reads decisions without their text, and the evidence behind them. */
import type { DecisionReads } from "../../../ports/store/decisions.ts";
import type { Database } from "../connection/database.ts";
import { archivedEvidence } from "./archive.ts";
import { decisionOutlines } from "./decision-outlines.ts";
import { evidenceLinks } from "./evidence-links.ts";

export function decisionReads(db: Database): DecisionReads {
  const archive = archivedEvidence(db);
  return {
    ...decisionOutlines(db),
    ...evidenceLinks(db),
    agedEvidence: archive.aged,
    archivedEvidence: archive.ids,
    archivedBytes: archive.bytes,
  };
}
