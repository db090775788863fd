/** Judges how the memory is encrypted: whether its key is at hand, and whether stores were left behind beside it. */
import type { EncryptionRecord } from "../../../model/care/encryption.ts";
import type { Finding, Remedy } from "../../../model/care/finding.ts";
import { RECOVER, note, ok, problem, some } from "./findings.ts";

export interface EncryptionLook {
  record: EncryptionRecord | null;
  /** Why the key is not at hand; null if it is, or none is needed. */
  fault: { message: string; hint: string } | null;
  /** Stores that a command which was interrupted left behind. */
  left: readonly string[];
  /** How many reports of hooks wait in plain text. */
  plainReports: number;
}

export function judgeEncryption({ record, fault, left, plainReports }: EncryptionLook): Finding[] {
  const key = record?.key ?? null;
  const findings: Finding[] = [];
  if (fault !== null) findings.push(problem("key", fault.message, fault.hint));
  else if (key !== null) findings.push(ok("key", `The memory is encrypted. Its key (${key.id}) ${placeOf(key)}.`));
  if (key !== null && plainReports > 0) {
    const message = `Reports of hooks that wait in plain text although the memory is encrypted: ${plainReports}. A hook that had started before wrote them.`;
    findings.push(problem("key", message, "`stele encrypt` seals them."));
  }
  if (left.length === 0) return findings;
  const remedy: Remedy = { kind: "clear stores", paths: [...left] };
  const message = `Stores that an interrupted command left behind, in use by nobody: ${some(left)}.`;
  const next = `${RECOVER} removes them.`;
  // They may be plain text beside an encrypted memory.
  return [...findings, key === null ? note("key", message, next, remedy) : problem("key", message, next, remedy)];
}

function placeOf({ kept }: NonNullable<EncryptionRecord["key"]>): string {
  if (kept.kind === "file") return `is in ${kept.path}`;
  return kept.kind === "keyring" ? "is in the system's keyring" : "is encrypted with a passphrase";
}
