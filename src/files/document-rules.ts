/**
 * Document rules: a document's label and type, decided by its path.
 *
 * Rules are data. Label, type and skipping are decided separately, each by the first matching rule that sets it, so the
 * user's own rules come first and the general ones last.
 */
import { RULES_FINGERPRINT } from "../redaction/rules-fingerprint.ts";
import { contentHash } from "../text/content-hash.ts";
import type { World } from "../world.ts";
import type { DocumentRule, DocumentType, FoundFile } from "./corpus.ts";
import { namesMatcher, namesOf } from "./glob.ts";
import { isNote } from "./languages.ts";

interface DocumentClass {
  label: string;
  docType: DocumentType;
  skip: boolean;
}

/** The project folder for specifications and changes to them. */
export const FLOW_FOLDER = "cyberk-flow";
const ARCHIVE = `${FLOW_FOLDER}/changes/archive`;

const FLOW_RULES: readonly DocumentRule[] = [
  { glob: `${ARCHIVE}/*/specs/**`, label: "delta-spec", skip: false },
  { glob: `${ARCHIVE}/*/discovery.md`, label: "discovery", skip: false },
  { glob: `${ARCHIVE}/*/proposal.md`, label: "proposal", docType: "procedural", skip: false },
  { glob: `${ARCHIVE}/*/tasks.md`, label: "tasks", docType: "procedural", skip: false },
  { glob: `${ARCHIVE}/*/workflow.md`, label: "workflow", docType: "procedural", skip: false },
  { glob: `${ARCHIVE}/*/design.md`, label: "design", skip: false },
  { glob: `${ARCHIVE}/**`, label: "archive", skip: false },
  // A change in progress is not in force yet.
  { glob: `${FLOW_FOLDER}/changes/**`, skip: true },
  { glob: `${FLOW_FOLDER}/specs/**`, label: "spec" },
  { glob: `{${FLOW_FOLDER},docs}/knowledge/**`, label: "knowledge" },
];

const GENERAL_RULES: readonly DocumentRule[] = [
  { glob: "{workflow,tasks}.md", docType: "procedural" },
  { glob: "{AGENTS,CLAUDE,GEMINI}.md", label: "agent", docType: "procedural" },
  { glob: "CONTRIBUTING*", label: "doc", docType: "procedural" },
  { glob: "**/{adr,adrs,decisions}/**", label: "adr" },
  { glob: "README*", label: "readme" },
  { glob: "**/specs/**", label: "spec" },
  { glob: "**/{runbooks,playbooks,howto,how-to}/**", label: "doc", docType: "procedural" },
  { glob: "**", label: "doc", docType: "semantic" },
];

/** A project's rules: the user's own, the flow rules if it has such a folder, then the general ones. */
export function documentRules(own: readonly DocumentRule[], { hasFlow }: { hasFlow: boolean }): DocumentRule[] {
  return [...own, ...(hasFlow ? FLOW_RULES : []), ...GENERAL_RULES];
}

/** Compiles the globs once for many paths. */
export function documentClassifier(rules: readonly DocumentRule[]): (path: string) => DocumentClass {
  const prepared = rules.map((rule) => ({ ...rule, matches: namesMatcher(rule.glob) }));
  return (path) => {
    const names = namesOf(path);
    const found: Partial<DocumentClass> = {};
    for (const { matches, label, docType, skip } of prepared) {
      const setsSomethingNew =
        (label !== undefined && found.label === undefined) ||
        (docType !== undefined && found.docType === undefined) ||
        (skip !== undefined && found.skip === undefined);
      if (!setsSomethingNew || !matches(names)) continue;
      found.label ??= label;
      found.docType ??= docType;
      found.skip ??= skip;
    }
    return { label: found.label ?? "doc", docType: found.docType ?? "semantic", skip: found.skip ?? false };
  };
}

/**
 * Document confidence: decays by the hour while nobody reads the document, and grows a little with each access.
 *
 * It is computed from stored values, so reading it changes nothing.
 */
export const INITIAL_CONFIDENCE = 0.8;
const KEPT_EACH_HOUR = 0.995;
const LEAST = 0.1;
/** Each access multiplies the stored value by this, up to 1. */
export const ACCESS_BOOST = 1.03;
const HOUR_MS = 3_600_000;

/** Decays since the last access, or since the last update if there was none. */
export function fadedConfidence(confidence: number, since: number, now: number): number {
  // A clock that was set back must not raise confidence.
  const hours = Math.max(0, now - since) / HOUR_MS;
  return Math.max(LEAST, confidence * KEPT_EACH_HOUR ** hours);
}

/** The rules by which a project's files are indexed, prepared once for many paths. */
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
