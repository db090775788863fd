/** The rules by which a project's files are indexed, prepared once for many paths. */
import { contentHash } from "../../logic/text/content-hash.ts";
import {
  FLOW_FOLDER,
  type DocumentClass,
  documentClassifier,
  documentRules,
} from "../../logic/corpus/document-rules.ts";
import { isNote } from "../../logic/corpus/languages.ts";
import { RULES_FINGERPRINT } from "../../logic/redaction/rules-fingerprint.ts";
import type { FoundFile } from "../../model/corpus/corpus.ts";
import type { World } from "../../ports/world.ts";

export interface CorpusRules {
  /** Changes with anything that affects how this file is split, labelled or typed, and with the checkout. */
  fingerprintOf(path: string): string;
  classOf(path: string): DocumentClass;
}

/** Increase it when files are split, classified or read differently, so that all are read again. */
const READ_AS = "3";

export function rulesFor(
  found: readonly FoundFile[],
  { settings: { labels, index }, place: { checkout } }: Pick<World, "place" | "settings">,
): CorpusRules {
  const hasFlow = found.some(({ path }) => path.startsWith(`${FLOW_FOLDER}/`));
  const rules = documentRules(labels.rules, { hasFlow });
  // Worktrees share a store: the same path, size and time in another one is a different file.
  // Files redacted by other rules are redacted again.
  const version = [READ_AS, index.chunkLines, index.chunkOverlap, RULES_FINGERPRINT].join(":");
  const fingerprint = `${version} ${contentHash(JSON.stringify([checkout, rules]))}`;
  return {
    // Rules apply to the project's own files only; a run over the notes alone does not know them.
    fingerprintOf: (path) => (isNote(path) ? READ_AS : fingerprint),
    classOf: documentClassifier(rules),
  };
}
