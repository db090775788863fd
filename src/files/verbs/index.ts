/** Index the project's documents and code, and the user's notes. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import { Failure } from "../../errors.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { counted } from "../../text/short-text.ts";
import type { FileCounts } from "../corpus.ts";
import { indexProject } from "../index-project.ts";

const PATIENCE_MS = 30_000;
const SKIPPED_SHOWN = 20;
const Counted = z.object({ added: z.int(), updated: z.int(), removed: z.int(), unchanged: z.int() });

export default defineOperation({
  name: "index",
  group: "corpus",
  summary: "Index the project's documents and code, so that they can be searched. Unchanged files are not read again.",
  effect: "write",
  repeatable: true,
  input: z.object({
    all: z.boolean().default(false).describe("Read every file again, even if it seems unchanged."),
  }),
  output: z.object({
    documents: Counted,
    code: Counted,
    notes: Counted.optional().describe("Present if a notes folder is set."),
    skipped: z
      .array(z.object({ path: z.string(), reason: z.string() }))
      .describe("Files that were skipped or indexed as plain text, and why."),
    waiting: z.int().describe("Passages found only by words until backfill or a running server embeds them."),
    ms: z.int(),
  }),
  cli: { examples: ["stele index", "stele index --all --json"] },
  run: async ({ all }, world) => {
    const onProgress = (done: number, total: number) => world.progress.report(done, total, "Indexing");
    const indexed = await indexProject({ all, patienceMs: PATIENCE_MS, onProgress }, world);
    if (!indexed) {
      throw new Failure("unavailable", "Another process is indexing this project.", "It will finish soon; try again.");
    }
    const { documents, code, notes, skipped, ms } = indexed;
    const { embedder, project } = world;
    const isWaiting = embedder.state() !== "absent";
    const waiting = isWaiting ? await project.waitingCount(embedder.identity, ["document", "code"]) : 0;
    return { documents, code, ...(world.notes && { notes }), skipped, waiting, ms: Math.round(ms) };
  },
  render: ({ documents, code, notes, skipped, waiting, ms }) => {
    const shown = skipped.slice(0, SKIPPED_SHOWN).map(({ path, reason }) => `  ${oneLine(path)}: ${reason}`);
    const rest = skipped.length - shown.length;
    return [
      `Documents: ${countsOf(documents)}`,
      `Code: ${countsOf(code)}`,
      ...(notes ? [`Notes: ${countsOf(notes)}`] : []),
      ...(shown.length > 0 ? ["Skipped, or indexed as plain text:"] : []),
      ...shown,
      ...(rest > 0 ? [`  and ${rest} more`] : []),
      ...(waiting > 0
        ? [
            `${counted(waiting, "passage")} can be found only by words until embedded by \`stele backfill\` or a running server.`,
          ]
        : []),
      `${(ms / 1000).toFixed(1)} s`,
    ].join("\n");
  },
});

const countsOf = ({ added, updated, removed, unchanged }: FileCounts): string =>
  `${added} added, ${updated} updated, ${removed} removed, ${unchanged} unchanged`;
