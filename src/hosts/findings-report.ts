/** What the doctor found, as a document: without the remedies, which are for the doctor alone. */
import type { Finding } from "../model/care/finding.ts";

export interface FindingsReport {
  ok: boolean;
  findings: Omit<Finding, "remedy">[];
}

export const reportOf = (findings: readonly Finding[]): FindingsReport => ({
  ok: findings.every(({ state }) => state !== "problem"),
  findings: findings.map(({ remedy: _, ...finding }) => finding),
});
