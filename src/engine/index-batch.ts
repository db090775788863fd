/**
 * One batch of files on its way into the store: read, cleaned, parsed beside this thread, planned, applied.
 *
 * Secrets are taken out before a parser sees the text. A file that cannot be taken in is named with the reason, and
 * harms no other.
 */
import { contentHash } from "../logic/content-hash.ts";
import { shelfOf } from "../logic/languages.ts";
import { oneLine } from "../logic/one-line.ts";
import { type TakenIn, planFile, planRelabel, planRemoval } from "../logic/plan-files.ts";
import { type Changed, type Outcome, type Taken, planIndex } from "../logic/plan-index.ts";
import { textFault } from "../model/text.ts";
import type { Change } from "../model/change.ts";
import type { CorpusShelf, FileState, FileText, FoundFile, SkippedFile } from "../model/corpus.ts";
import type { Item } from "../model/item.ts";
import type { World } from "../ports.ts";
import { birthIn, surroundingsOf } from "./birth.ts";
import { commit } from "./commit.ts";
import type { CorpusRules } from "./corpus-rules.ts";
import { withTokens } from "./passages.ts";
import { innerReferences } from "./rank-documents.ts";
import { redactor } from "./redact.ts";

const TITLE_LIMIT_CHARACTERS = 200;

export interface BatchSituation {
  known: readonly FileState[];
  /** Known files that were not met: one of them may come back under another name. */
  gone: readonly FileState[];
  sameRules: boolean;
  rules: CorpusRules;
}

export interface BatchOutcome {
  /** What is still gone. */
  gone: FileState[];
  added: CorpusShelf[];
  updated: CorpusShelf[];
  removed: CorpusShelf[];
  unchanged: CorpusShelf[];
  skipped: SkippedFile[];
}

export async function indexBatch(
  files: readonly FoundFile[],
  { known, gone, sameRules, rules }: BatchSituation,
  world: World,
): Promise<BatchOutcome> {
  const texts = new Map<string, FileText>();
  const outcomes = await Promise.all(files.map(async (file) => outcomeOf(file, texts, rules, world)));
  const plan = planIndex(outcomes, known, { gone, sameRules });
  const leaving = plan.removed.filter((state) => !gone.includes(state));
  const parsing = [...plan.added.map((file) => ({ file, was: null })), ...plan.updated, ...plan.renamed];
  const taken = await Promise.all(
    parsing.map(async ({ file, was }) => ({ was, file: await takeIn(file, texts.get(file.path)!, rules, world) })),
  );
  const relabelled = [...plan.relabelled, ...plan.touched];
  await commit(
    world.project,
    async () => {
      const items = await itemsOf(
        [...leaving, ...relabelled.map(({ was }) => was), ...taken.flatMap(({ was }) => was ?? [])],
        world,
      );
      const changes: Change[] = [
        ...leaving.flatMap((state) => planRemoval(state, items.get(state.itemId ?? "") ?? null)),
        ...relabelled.flatMap((changed) => relabel(changed, items, rules, world)),
        ...taken.flatMap(({ file, was }) => planTaken(file, was, items, world)),
        ...plan.skipped.map(({ file }) => skipping(file)),
      ];
      return { changes, answer: null };
    },
    world,
  );
  return {
    gone: plan.removed.filter((state) => gone.includes(state)),
    added: plan.added.map(({ shelf }) => shelf),
    updated: [...plan.updated, ...plan.renamed].map(({ file }) => file.shelf),
    removed: leaving.map(({ shelf }) => shelf),
    unchanged: unchangedIn(outcomes, parsing),
    skipped: plan.skipped.map(({ file: { path, reason } }) => ({ path, reason })),
  };
}

/** Read and found to be as they were, whatever they are called now. */
function unchangedIn(outcomes: readonly Outcome[], parsed: readonly { file: Taken }[]): CorpusShelf[] {
  const changed = new Set(parsed.map(({ file }) => file.path));
  return outcomes.filter((file) => "hash" in file && !changed.has(file.path)).map(({ shelf }) => shelf);
}

/** Files that are there no more, and their items. */
export async function removeFiles(states: readonly FileState[], world: World): Promise<void> {
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

/** Reads a file; its text is kept for whoever parses it. */
async function outcomeOf(
  file: FoundFile,
  texts: Map<string, FileText>,
  rules: CorpusRules,
  { projectFiles, settings }: World,
): Promise<Outcome> {
  const shelf = shelfOf(file.path);
  if (rules.classOf(file.path).skip) return { ...file, shelf, reason: "left out by a rule" };
  const read = await projectFiles.read(file.path, settings.index.fileBytes);
  if ("reason" in read) return { ...file, shelf, reason: read.reason };
  const fault = read.text.trim() === "" ? null : textFault(read.text);
  if (fault) return { ...file, shelf, reason: fault };
  texts.set(file.path, read);
  const { bytes, modifiedAt, hash } = read;
  return { path: file.path, shelf, bytes, modifiedAt, hash };
}

async function takeIn(file: Taken, { text }: FileText, rules: CorpusRules, world: World): Promise<TakenIn> {
  const { clean } = redactor();
  const content = clean(text);
  const parsed = await world.parser.parse({ path: file.path, text: content, shelf: file.shelf });
  const kind = kindOf(file, rules);
  const title = file.shelf === "document" ? oneLine(parsed.title ?? "", TITLE_LIMIT_CHARACTERS, clean) : null;
  return {
    shelf: file.shelf,
    state: stateOf(file),
    title: title || file.path,
    ...{ content, hash: contentHash(content), ...kind },
    language: parsed.language,
    tags: parsed.tags,
    passages: await withTokens(parsed.passages, world),
    symbols: parsed.symbols,
    targets: innerReferences(parsed.references).map(clean),
  };
}

function kindOf({ path, shelf }: Taken, rules: CorpusRules): Pick<Item, "label" | "type"> {
  if (shelf === "code") return { label: null, type: "code" };
  const { label, docType } = rules.classOf(path);
  return { label, type: docType };
}

const stateOf = ({ path, shelf, bytes, modifiedAt, hash }: Taken): TakenIn["state"] => ({
  ...{ path, shelf, bytes, modifiedAt, hash },
});

function planTaken(file: TakenIn, was: FileState | null, items: ReadonlyMap<string, Item>, world: World): Change[] {
  const known = items.get(was?.itemId ?? "") ?? null;
  const moved = was !== null && was.path !== file.state.path;
  const changes = planFile(file, known, { ...birthIn(world), ...surroundingsOf(world) });
  return moved ? [...changes, { kind: "drop_files", paths: [was.path] }] : changes;
}

function relabel({ file, was }: Changed, items: ReadonlyMap<string, Item>, rules: CorpusRules, world: World): Change[] {
  const item = items.get(was.itemId);
  // Its item has gone without it: the next look takes the file in anew.
  if (!item) return [{ kind: "drop_files", paths: [file.path] }];
  return planRelabel(stateOf(file), item, kindOf(file, rules), world.clock.now());
}

function skipping({ path, shelf, bytes, modifiedAt, reason }: Extract<Outcome, { reason: string }>): Change {
  return { kind: "note_files", files: [{ path, shelf, bytes, modifiedAt, reason, itemId: null, hash: "" }] };
}

async function itemsOf(states: readonly FileState[], { project }: World): Promise<Map<string, Item>> {
  const items = new Map<string, Item>();
  for (const [shelf, own] of Map.groupBy(states, (state) => state.shelf)) {
    const ids = own.flatMap(({ itemId }) => itemId ?? []);
    for (const item of await project.items(shelf, ids)) items.set(item.id, item);
  }
  return items;
}
