/** What decides how a project's files are taken in, prepared once for many paths. */
import { contentHash } from "../logic/content-hash.ts";
import { FLOW_FOLDER, type DocumentClass, documentClassifier, documentRules } from "../logic/document-rules.ts";
import type { FoundFile } from "../model/corpus.ts";
import type { Settings } from "../ports.ts";

export interface CorpusRules {
  /** Changes with anything that decides a label or a type. */
  fingerprint: string;
  classOf(path: string): DocumentClass;
}

/** Changes when files are cut or read in another way: then all of them are read again. */
const READ_AS = "2";

export function rulesFor(found: readonly FoundFile[], { labels }: Pick<Settings, "labels">): CorpusRules {
  const hasFlow = found.some(({ path }) => path.startsWith(`${FLOW_FOLDER}/`));
  const rules = documentRules(labels.rules, { hasFlow });
  return { fingerprint: `${READ_AS} ${contentHash(JSON.stringify(rules))}`, classOf: documentClassifier(rules) };
}

/** Whether files were last read as they would be now. */
export const isReadAlike = (fingerprint: string): boolean => fingerprint.startsWith(`${READ_AS} `);
