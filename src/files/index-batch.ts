/**
 * Indexes one batch of files: reads, redacts, parses (in other threads), plans and applies.
 *
 * Secrets are removed before a parser sees the text. A file that cannot be indexed, or only as plain text, is reported
 * with the reason and does not affect the others.
 */
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { contextOf, provenanceIn } from "../memory/authorship.ts";
import type { Item } from "../memory/item.ts";
import { withTokens } from "../memory/passages.ts";
import type { Passage } from "../memory/shelves.ts";
import { redactGrown } from "../redaction/grown-text.ts";
import { redactor } from "../redaction/redact.ts";
import { contentHash, hashAt } from "../text/content-hash.ts";
import { oneLine, summaryOf } from "../text/short-text.ts";
import { textFault } from "../text/text.ts";
import type { World } from "../world.ts";
import type { FileShelf, FileState, FileText, FormerBytes, FoundFile, SkippedFile } from "./corpus.ts";
import type { CorpusRules } from "./document-rules.ts";
import { isNote, shelfOf } from "./languages.ts";
import {
  type Changed,
  type Outcome,
  planFile,
  planIndex,
  planRelabel,
  planRemoval,
  type PreparedFile,
  readingVersion,
  recordingState,
  type Refused,
  type Taken,
} from "./plan-index.ts";
import { innerReferences } from "./rank-documents.ts";

// Redacts the text of a file, reusing earlier work where possible.
//
// If a file only got longer, only the new part is redacted, and unchanged passages keep their wordpieces. A note is
// always read completely, because a person may have changed the stored memory.

/** Keeps the number of lines, because hits in files show line numbers. */
const lineRedactor = () => redactor({ keepsLines: true });

/** The former state of the file, if it was indexed by the same rules and can be reused. */
function formerly(was: FileState | undefined, looked: Pick<FileState, "shelf" | "rules">): FormerBytes | undefined {
  const isKept = was !== undefined && was.itemId !== null && was.hash !== "" && was.shelf === looked.shelf;
  return isKept && was.shelf !== "memory" && readingVersion(was) === readingVersion(looked) ? was : undefined;
}

interface CleanText {
  content: string;
  /** The former passages, if most of them will be unchanged. */
  passages: readonly Passage[];
}

async function cleanText(
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

const TITLE_LIMIT_CHARACTERS = 200;

interface BatchSituation {
  /** By path. */
  known: ReadonlyMap<string, FileState>;
  /** Known files that were not found: one of them may have been renamed. */
  gone: readonly FileState[];
  /** Also indexes unchanged files. */
  all: boolean;
  rules: CorpusRules;
  /** When the run began. */
  lookedAt: number;
}

export interface BatchOutcome {
  /** Files that are still missing. */
  gone: FileState[];
  added: FileShelf[];
  updated: FileShelf[];
  removed: FileShelf[];
  unchanged: FileShelf[];
  skipped: SkippedFile[];
}

export async function indexBatch(
  files: readonly FoundFile[],
  { known, gone, all, rules, lookedAt }: BatchSituation,
  world: World,
): Promise<BatchOutcome> {
  const texts = new Map<string, FileText>();
  const outcomes = await Promise.all(
    files.map(async (file): Promise<Outcome> => {
      const looked = { shelf: shelfOf(file.path), rules: rules.fingerprintOf(file.path), lookedAt };
      const since = all ? undefined : formerly(known.get(file.path), looked);
      return { ...file, ...looked, ...(await readingOf({ ...file, ...looked }, since, texts, rules, world)) };
    }),
  );
  const plan = planIndex(outcomes, known, { gone, all });
  const wereGone = new Set(gone);
  const leaving = plan.removed.filter((state) => !wereGone.has(state));
  const parsing = [...plan.added.map((file) => ({ file, was: null })), ...plan.updated, ...plan.renamed];
  const taken = await Promise.all(
    parsing.map(async ({ file, was }) => ({ was, file: await prepare(file, was, texts, rules, world) })),
  );
  await commit(
    world.project,
    async () => {
      const items = await itemsOf(
        [...leaving, ...plan.kept.map(({ was }) => was), ...taken.flatMap(({ was }) => was ?? [])],
        world,
      );
      const changes: Change[] = [
        ...leaving.flatMap((state) => planRemoval(state, items.get(state.itemId ?? "") ?? null)),
        ...plan.kept.flatMap((changed) => relabel(changed, items, rules)),
        ...taken.flatMap(({ file, was }) => planTaken(file, was, items, world)),
        ...plan.skipped.map(({ file }) => skipping(file)),
      ];
      return { changes, answer: null };
    },
    world,
  );
  return {
    gone: plan.removed.filter((state) => wereGone.has(state)),
    added: plan.added.map(({ shelf }) => shelf),
    updated: [...plan.updated, ...plan.renamed].map(({ file }) => file.shelf),
    removed: leaving.map(({ shelf }) => shelf),
    unchanged: unchangedIn(outcomes, parsing),
    skipped: [
      ...outcomes.flatMap((file) => ("reason" in file ? [{ path: file.path, reason: file.reason }] : [])),
      ...faultsIn(taken.map(({ file }) => file.state)),
      ...faultsIn(plan.kept.map(({ file: { path }, was: { reason } }) => ({ path, reason }))),
    ],
  };
}

const faultsIn = (states: readonly Pick<FileState, "path" | "reason">[]): SkippedFile[] =>
  states.flatMap(({ path, reason }) => (reason === null ? [] : [{ path, reason }]));

/** Files that were read and have the same content, renamed or not. */
function unchangedIn(outcomes: readonly Outcome[], parsed: readonly { file: Taken }[]): FileShelf[] {
  const changed = new Set(parsed.map(({ file }) => file.path));
  return outcomes.filter((file) => "hash" in file && !changed.has(file.path)).map(({ shelf }) => shelf);
}

/** Removes missing files and their items. */
export async function removeFiles(
  states: readonly FileState[],
  world: Pick<World, "project" | "origin">,
): Promise<void> {
  await commit(
    world.project,
    async () => {
      const items = await itemsOf(states, world);
      return {
        changes: states.flatMap((state) => planRemoval(state, items.get(state.itemId ?? "") ?? null)),
        answer: null,
      };
    },
    world,
  );
}

/** Reads a file; its text is added to `texts` for parsing. */
async function readingOf(
  { path, shelf }: Pick<FileState, "path" | "shelf">,
  since: FormerBytes | undefined,
  texts: Map<string, FileText>,
  rules: CorpusRules,
  world: Pick<World, "projectFiles" | "notes" | "settings">,
): Promise<Pick<FileText, "bytes" | "modifiedAt" | "hash"> | { reason: string }> {
  if (shelf !== "memory" && rules.classOf(path).skip) return { reason: "skipped by a rule" };
  const read = await readFile(path, since, world);
  if ("reason" in read) return { reason: read.reason };
  if (shelf === "memory" && read.text.trim() === "") return { reason: "empty" };
  const fault = read.text.trim() === "" ? null : textFault(read.text);
  if (fault) return { reason: fault };
  texts.set(path, read);
  const { bytes, modifiedAt, hash } = read;
  return { bytes, modifiedAt, hash };
}

async function readFile(
  path: string,
  since: FormerBytes | undefined,
  { projectFiles, notes, settings }: Pick<World, "projectFiles" | "notes" | "settings">,
): Promise<FileText | SkippedFile> {
  return isNote(path) && notes ? notes.read(path) : projectFiles.read(path, settings.index.fileBytes, since);
}

async function prepare(
  file: Taken,
  was: FileState | null,
  texts: ReadonlyMap<string, FileText>,
  rules: CorpusRules,
  world: Pick<World, "project" | "tokenizer" | "log" | "parser" | "settings">,
): Promise<PreparedFile> {
  const { path, shelf } = file;
  const { clean } = lineRedactor();
  const { content, passages } = await cleanText(file, was, texts.get(path), world);
  const { chunkLines: lines, chunkOverlap: overlap } = world.settings.index;
  const source = { path, text: content, shelf: shelf === "code" ? "code" : "document" } as const;
  const parsed = await world.parser.parse({ ...source, chunk: { lines, overlap } });
  const kind = kindOf(file, rules);
  const title = shelf === "code" ? null : oneLine(parsed.title ?? "", TITLE_LIMIT_CHARACTERS, clean);
  const name = shelf === "memory" ? path.slice(path.lastIndexOf("/") + 1) : path;
  return {
    shelf,
    state: stateAfter(file, was, parsed.fault),
    title: title || name,
    summary: summaryOf(shelf !== "code" && parsed.summary ? clean(parsed.summary) : content),
    content,
    hash: shelf === "memory" ? hashAt(path, content) : contentHash(content),
    ...kind,
    language: parsed.language,
    tags: shelf === "memory" ? [...new Set([...parsed.tags, name])] : parsed.tags,
    passages: await withTokens(parsed.passages, world, passages),
    symbols: parsed.symbols,
    targets: innerReferences(parsed.references).map(clean),
  };
}

function kindOf({ path, shelf }: Taken, rules: CorpusRules): Pick<Item, "label" | "type"> {
  if (shelf === "code") return { label: null, type: "code" };
  if (shelf === "memory") return { label: null, type: "fact" };
  const { label, docType } = rules.classOf(path);
  return { label, type: docType };
}

const stateOf = (file: Taken, reason: string | null): PreparedFile["state"] => {
  const { path, shelf, bytes, modifiedAt, hash, rules, lookedAt } = file;
  return { path, shelf, bytes, modifiedAt, hash, rules, lookedAt, reason };
};

/** A grammar may have failed temporarily, so the next run tries once more, but only once. */
function stateAfter(file: Taken, was: FileState | null, fault: string | null): PreparedFile["state"] {
  if (fault === null) return stateOf(file, null);
  const isSettled = file.shelf === "memory" || (was !== null && was.itemId !== null && was.hash === "");
  return stateOf(isSettled ? file : { ...file, hash: "" }, `indexed as plain text: ${fault}`);
}

function planTaken(
  file: PreparedFile,
  was: FileState | null,
  items: ReadonlyMap<string, Item>,
  world: Pick<World, "place" | "clock" | "ids" | "origin">,
): Change[] {
  const there = items.get(was?.itemId ?? "") ?? null;
  // A memory that was replaced or forgotten since stays so; the file becomes a new one.
  const known = file.shelf === "memory" && there?.status !== "active" ? null : there;
  const moved = was !== null && was.path !== file.state.path;
  const saysTheSame = there ? there.content === file.content : was?.hash === file.state.hash;
  // Forgotten, or unchanged: the item stays as it is.
  const isLeft = file.shelf === "memory" && saysTheSame && (known === null || !moved);
  const changes =
    isLeft && was?.itemId
      ? [recordingState(file.state, was.itemId)]
      : planFile(file, known, { ...provenanceIn(world), ...contextOf(world) });
  return moved ? [...changes, { kind: "drop_files", paths: [was.path] }] : changes;
}

function relabel({ file, was }: Changed, items: ReadonlyMap<string, Item>, rules: CorpusRules): Change[] {
  const item = items.get(was.itemId);
  // A memory keeps its status, such as forgotten, while its file is unchanged.
  if (file.shelf === "memory") return [recordingState(stateOf(file, was.reason), was.itemId)];
  // Its item was removed separately: the next run indexes the file again.
  if (!item) return [{ kind: "drop_files", paths: [file.path] }];
  return planRelabel(stateOf(file, was.reason), item, kindOf(file, rules));
}

function skipping({ path, shelf, bytes, modifiedAt, rules, lookedAt, reason }: Refused): Change {
  const state = { path, shelf, bytes, modifiedAt, rules, lookedAt, reason };
  return { kind: "note_files", files: [{ ...state, itemId: null, hash: "" }] };
}

async function itemsOf(states: readonly FileState[], { project }: Pick<World, "project">): Promise<Map<string, Item>> {
  const items = new Map<string, Item>();
  for (const [shelf, own] of Map.groupBy(states, (state) => state.shelf)) {
    const ids = own.flatMap(({ itemId }) => itemId ?? []);
    for (const item of await project.items(shelf, ids)) items.set(item.id, item);
  }
  return items;
}
