/**
 * Document rules: which label and which type a document has, by its path.
 *
 * Rules are data. For each of label, type and being left out, the first rule that matches and says something wins, so
 * the person's own rules stand first and the general ones last.
 */
import type { DocumentRule, DocumentType } from "../../model/corpus/corpus.ts";
import { namesMatcher, namesOf } from "./glob.ts";

export interface DocumentClass {
  label: string;
  docType: DocumentType;
  skip: boolean;
}

/** The folder of a project that keeps specifications and changes to them. */
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
  // What is being worked on is not what holds.
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

/** The rules of a project: its person's own, those of the flow where it has one, the general ones. */
export function documentRules(own: readonly DocumentRule[], { hasFlow }: { hasFlow: boolean }): DocumentRule[] {
  return [...own, ...(hasFlow ? FLOW_RULES : []), ...GENERAL_RULES];
}

/** Globs are prepared once, for many paths. */
export function documentClassifier(rules: readonly DocumentRule[]): (path: string) => DocumentClass {
  const prepared = rules.map((rule) => ({ ...rule, matches: namesMatcher(rule.glob) }));
  return (path) => {
    const names = namesOf(path);
    const found: Partial<DocumentClass> = {};
    for (const { matches, label, docType, skip } of prepared) {
      const isNews =
        (label !== undefined && found.label === undefined) ||
        (docType !== undefined && found.docType === undefined) ||
        (skip !== undefined && found.skip === undefined);
      if (!isNews || !matches(names)) continue;
      found.label ??= label;
      found.docType ??= docType;
      found.skip ??= skip;
    }
    return { label: found.label ?? "doc", docType: found.docType ?? "semantic", skip: found.skip ?? false };
  };
}
