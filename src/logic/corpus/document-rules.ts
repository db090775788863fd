/**
 * Document rules: a document's label and type, decided by its path.
 *
 * Rules are data. Label, type and skipping are decided separately, each by the first matching rule that sets it, so the
 * user's own rules come first and the general ones last.
 */
import type { DocumentRule, DocumentType } from "../../model/corpus/corpus.ts";
import { namesMatcher, namesOf } from "./glob.ts";

export interface DocumentClass {
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
