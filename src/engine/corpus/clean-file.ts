/**
 * The text of a file without its secrets, and what is still known of it.
 *
 * A file that only got longer is cleaned from where it ended, and its passages that stay need no new wordpieces. A note
 * is always read whole: a person may have changed what is kept of it.
 */
import { redactGrown } from "../../logic/redaction/grown-text.ts";
import { type Taken, readingVersion } from "../../logic/corpus/plan-index.ts";
import type { FileState, FileText, FormerBytes } from "../../model/corpus/corpus.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import type { World } from "../../ports/world.ts";
import { redactor } from "../redaction/redact.ts";

/** What is found in a file is shown with its lines. */
export const lineRedactor = () => redactor({ keepsLines: true });

/** How the file was, where what was kept of it would be kept in the same way now. */
export function formerly(
  was: FileState | undefined,
  looked: Pick<FileState, "shelf" | "rules">,
): FormerBytes | undefined {
  const isKept = was !== undefined && was.itemId !== null && was.hash !== "" && was.shelf === looked.shelf;
  return isKept && was.shelf !== "memory" && readingVersion(was) === readingVersion(looked) ? was : undefined;
}

export interface CleanText {
  content: string;
  /** Passages it had, where most of them will be there again. */
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
