/**
 * Redacts the text of a file, reusing earlier work where possible.
 *
 * If a file only got longer, only the new part is redacted, and unchanged passages keep their wordpieces. A note is
 * always read completely, because a person may have changed the stored memory.
 */
import { redactGrown } from "../../logic/redaction/grown-text.ts";
import { type Taken, readingVersion } from "../../logic/corpus/plan-index.ts";
import type { FileState, FileText, FormerBytes } from "../../model/corpus/corpus.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import type { World } from "../../ports/world.ts";
import { redactor } from "../redaction/redact.ts";

/** Keeps the number of lines, because hits in files show line numbers. */
export const lineRedactor = () => redactor({ keepsLines: true });

/** The former state of the file, if it was indexed by the same rules and can be reused. */
export function formerly(
  was: FileState | undefined,
  looked: Pick<FileState, "shelf" | "rules">,
): FormerBytes | undefined {
  const isKept = was !== undefined && was.itemId !== null && was.hash !== "" && was.shelf === looked.shelf;
  return isKept && was.shelf !== "memory" && readingVersion(was) === readingVersion(looked) ? was : undefined;
}

export interface CleanText {
  content: string;
  /** The former passages, if most of them will be unchanged. */
  passages: readonly Passage[];
}

export async function cleanText(
  { shelf }: Taken,
  was: FileState | null,
  read: FileText | undefined,
  { project }: Pick<World, "project">,
): Promise<CleanText> {
  const { text = "", grownFrom } = read ?? {};
  const isGrown = grownFrom !== undefined && was?.itemId;
  const [kept] = isGrown ? await project.whole(shelf, [was.itemId!]) : [];
  const grown = kept && redactGrown({ before: text.slice(0, grownFrom), cleaned: kept.item.content, after: text });
  return { content: grown ?? lineRedactor().clean(text), passages: kept?.passages ?? [] };
}
