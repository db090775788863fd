/** What decides how a project's files are taken in, prepared once for many paths. */
import { contentHash } from "../../logic/text/content-hash.ts";
import {
  FLOW_FOLDER,
  type DocumentClass,
  documentClassifier,
  documentRules,
} from "../../logic/corpus/document-rules.ts";
import { isNote } from "../../logic/corpus/languages.ts";
import { rulesText } from "../../logic/redaction/redaction.ts";
import type { FoundFile } from "../../model/corpus/corpus.ts";
import type { World } from "../../ports/world.ts";

export interface CorpusRules {
  /** Changes with anything that decides how this file is cut, labelled or typed, and with whose file it is. */
  fingerprintOf(path: string): string;
  classOf(path: string): DocumentClass;
}

/** Changes when files are cut, judged or read in another way: then each of them is read anew. */
const READ_AS = "3";

export function rulesFor(
  found: readonly FoundFile[],
  { settings: { labels, index }, place: { checkout } }: Pick<World, "place" | "settings">,
): CorpusRules {
  const hasFlow = found.some(({ path }) => path.startsWith(`${FLOW_FOLDER}/`));
  const rules = documentRules(labels.rules, { hasFlow });
  // Worktrees share a memory. What another one has at the same path, of the same size and time, is another file.
  // What was cleaned by other rules is cleaned again.
  const way = [READ_AS, index.chunkLines, index.chunkOverlap, contentHash(rulesText()).slice(0, 12)].join(":");
  const fingerprint = `${way} ${contentHash(JSON.stringify([checkout, rules]))}`;
  return {
    // Rules are for the project's own files; a look at notes alone could not even tell them.
    fingerprintOf: (path) => (isNote(path) ? READ_AS : fingerprint),
    classOf: documentClassifier(rules),
  };
}
