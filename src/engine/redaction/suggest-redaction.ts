/** Suggests `redact` when the rules have changed since the stores were last redacted. Reads no text. */
import { RULES_FINGERPRINT } from "../../logic/redaction/rules-fingerprint.ts";
import type { Stores } from "../../ports/world.ts";

/** One line, or none. */
export async function suggestRedaction({ project, global }: Stores): Promise<string[]> {
  const known = await Promise.all([project.redactedBy(), global.redactedBy()]);
  if (known.every((rules) => rules === RULES_FINGERPRINT)) return [];
  return ["The rules for secrets have changed: `stele redact --dry-run` looks for those that older rules missed."];
}
