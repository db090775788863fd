/** The settings of files: which are indexed, how they are divided and labelled, and where notes are. */
import * as z from "zod";
import { alternativesIn, globFault } from "../../logic/corpus/glob.ts";
import { isSlowPattern, patternFault } from "../../logic/corpus/skip-rules.ts";
import { CHUNK } from "../../logic/text/line-windows.ts";
import { type DocumentRule, DOCUMENT_TYPES } from "../../model/corpus/corpus.ts";
import { TEXT_LIMIT_BYTES } from "../../model/text/text.ts";
import { setting } from "./setting.ts";

/** Bounded because every path is matched against all of them. */
const MOST_ALTERNATIVES = 1_000;
const MOST_SLOW_PATTERNS = 50;

type Issues = Pick<z.core.$RefinementCtx, "addIssue">;

function checkPatterns(patterns: readonly string[], issues: Issues): void {
  for (const [index, pattern] of patterns.entries()) {
    const fault = patternFault(pattern);
    if (fault) issues.addIssue({ code: "custom", path: [index], message: `${quoted(pattern)} ${fault}` });
  }
  if (patterns.filter(isSlowPattern).length > MOST_SLOW_PATTERNS) {
    const message = `more than ${MOST_SLOW_PATTERNS} patterns have "**" in the middle and once more elsewhere`;
    issues.addIssue({ code: "custom", message });
  }
}

function checkGlobs(rules: readonly DocumentRule[], issues: Issues): void {
  for (const [index, { glob }] of rules.entries()) {
    const fault = globFault(glob);
    if (fault) issues.addIssue({ code: "custom", path: [index, "glob"], message: `${quoted(glob)} ${fault}` });
  }
  const all = rules.reduce((sum, { glob }) => sum + alternativesIn(glob), 0);
  if (all > MOST_ALTERNATIVES) {
    issues.addIssue({ code: "custom", message: `together they have more than ${MOST_ALTERNATIVES} alternatives` });
  }
}

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

export const IndexSettings = z.strictObject({
  files: setting(z.int().min(1).max(1_000_000).default(10_000), "STELE_INDEX_FILES").describe(
    "Maximum number of files indexed per project, those nearest the root first.",
  ),
  fileBytes: setting(
    z.int().min(1_000).max(TEXT_LIMIT_BYTES).default(TEXT_LIMIT_BYTES),
    "STELE_INDEX_FILE_BYTES",
  ).describe("Larger files are skipped."),
  excludes: z
    .array(z.string().min(1).max(500))
    .max(1_000)
    .superRefine(checkPatterns)
    .default([])
    .describe("Additional files to skip, in the syntax of an ignore file."),
  freshMs: setting(z.int().min(0).max(3_600_000).default(0), "STELE_INDEX_FRESH_MS").describe(
    "How long a search trusts the last check of all files. At 0 every search checks, unless its process watches.",
  ),
  waitMs: setting(z.int().min(0).max(60_000).default(1_000), "STELE_INDEX_WAIT_MS").describe(
    "How long a search waits for changed files to be indexed.",
  ),
  watch: setting(z.enum(["events", "polling", "off"]).default("events"), "STELE_INDEX_WATCH").describe(
    "How a server notices changes: events: from the system; polling: for network disks; off: searches check.",
  ),
  debounceMs: setting(z.int().min(0).max(60_000).default(500), "STELE_INDEX_DEBOUNCE_MS").describe(
    "How long a watching server waits after the last change of a burst.",
  ),
  code: setting(z.enum(["on", "off"]).default("on"), "STELE_INDEX_CODE").describe(
    "off: code is neither read nor watched, and indexed code is dropped on the next run.",
  ),
  chunkLines: setting(z.int().min(10).max(2_000).default(CHUNK.lines), "STELE_INDEX_CHUNK_LINES").describe(
    "Lines per chunk of unstructured code or text; changing it splits files again.",
  ),
  chunkOverlap: setting(z.int().min(0).max(1_000).default(CHUNK.overlap), "STELE_INDEX_CHUNK_OVERLAP").describe(
    "Lines shared by consecutive chunks; at most half of a chunk.",
  ),
});

export const NotesSettings = z.strictObject({
  folder: setting(z.string().min(1).max(4_096).optional(), "STELE_NOTES_FOLDER").describe(
    "Folder whose Markdown files become memories; a relative path starts at the project, `~` is your home.",
  ),
  fileBytes: setting(z.int().min(1_000).max(TEXT_LIMIT_BYTES).default(100_000), "STELE_NOTES_FILE_BYTES").describe(
    "Larger notes are skipped.",
  ),
});

export const LabelSettings = z.strictObject({
  rules: z
    .array(
      z.strictObject({
        glob: z.string().min(1).max(500),
        label: z.string().min(1).max(100).optional(),
        docType: z.enum(DOCUMENT_TYPES).optional(),
        skip: z.boolean().optional(),
      }),
    )
    .max(1_000)
    .superRefine(checkGlobs)
    .default([])
    .describe(
      'Labels and types of documents by path, applied before the built-in rules: `{"glob": "docs/**", "label": "guide", "docType": "procedural"}`; `"skip": true` skips them.',
    ),
});
