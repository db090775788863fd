/** Folds old working and progress memories of a session into one summary, which takes their place. */
import { type Edge, newEdge } from "../graph/edges.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { authorOf, contextOf, isByHand, isPersons, provenanceIn } from "../memory/authorship.ts";
import { closing, isEmbedded, isExpired, newItem, type Provenance, removing } from "../memory/item-changes.ts";
import { CONTEXT_FIELDS, ITEM_FIELDS } from "../memory/item-fields.ts";
import { type Item, Status } from "../memory/item.ts";
import { names, numbers } from "../memory/meaning.ts";
import { passagesOf } from "../memory/passages.ts";
import type { Passage } from "../memory/shelves.ts";
import type { Filter } from "../recall/search.ts";
import { contentHash } from "../text/content-hash.ts";
import { negations } from "../text/english.ts";
import { counted, cut, cutLine } from "../text/short-text.ts";
import { identifierParts, sharedPart, tellingStems, words } from "../text/words.ts";
import type { DraftWorld } from "../world.ts";

/**
 * An extractive summary: the most telling sentences of several texts, word for word.
 *
 * A sentence tells much if many of the texts speak of its words, and if it has names, numbers or identifiers. Words that
 * are already covered count less, so that the next sentence says something else. A sentence repeats another only if it has
 * no word, name or number of its own. Nothing is worded anew: a summary can leave out, but it cannot invent.
 */
interface SourceText {
  text: string;
  /** How much its sentences count; 1 is ordinary. */
  weight: number;
}

interface SummaryBounds {
  characters: number;
  sentences: number;
}

/** Of longer texts only the beginning is read. */
const READ_CHARACTERS = 4_000;
const SENTENCE_CHARACTERS = 300;
/** A sentence that shares more than this part of its words with another may say the same. */
const SAME_SHARE = 0.5;
/** What a word still counts once a chosen sentence has it. */
const COVERED_WEIGHT = 0.25;
const SPECIFIC_BONUS = 0.2;
const SPECIFICS_COUNTED = 4;

interface Sentence {
  text: string;
  stems: ReadonlySet<string>;
  worth: number;
}

interface Told {
  /** In the order of the texts. */
  sentences: string[];
  /** How many were left out, without those that only repeat another. */
  omitted: number;
}

/** At least one sentence, cut if need be, as long as any text has words. */
export function tellingSentences(sources: readonly SourceText[], bounds: SummaryBounds): Told {
  const sentences = sources.flatMap(({ text, weight }) =>
    sentencesOf(text).map(
      (sentence): Sentence => ({
        text: sentence,
        stems: tellingStems(sentence),
        worth: weight * (1 + SPECIFIC_BONUS * Math.min(SPECIFICS_COUNTED, specifics(sentence))),
      }),
    ),
  );
  const telling = sentences.filter(({ stems }) => stems.size > 0);
  const { chosen, open } = choose(telling, weightsOf(sources), bounds);
  const unread = sources.flatMap(({ text }) => sentencesOf(text.slice(READ_CHARACTERS))).length;
  return {
    sentences: telling.filter((sentence) => chosen.has(sentence)).map(({ text }) => cutLine(text, bounds.characters)),
    omitted: open.length + unread,
  };
}

function choose(
  sentences: readonly Sentence[],
  weights: Map<string, number>,
  { characters, sentences: most }: SummaryBounds,
): { chosen: Set<Sentence>; open: Sentence[] } {
  const chosen = new Set<Sentence>();
  let left = characters;
  let open = [...sentences];
  while (chosen.size < most) {
    const fitting = open.filter(({ text }) => text.length <= left);
    const best = strongest(fitting.length > 0 || chosen.size > 0 ? fitting : open, weights);
    if (!best) break;
    chosen.add(best);
    left -= best.text.length + 1;
    for (const stem of best.stems) weights.set(stem, (weights.get(stem) ?? 0) * COVERED_WEIGHT);
    open = open.filter((other) => !repeats(other, best));
  }
  return { chosen, open };
}

/** Whether it says nothing that the other does not say. */
function repeats(sentence: Sentence, other: Sentence): boolean {
  if (sentence === other) return true;
  if (
    sharedPart(sentence.stems, other.stems) <= SAME_SHARE ||
    ![...sentence.stems].every((stem) => other.stems.has(stem))
  )
    return false;
  const known = new Set([...names(other.text), ...numbers(other.text)]);
  const own = [...names(sentence.text), ...numbers(sentence.text)];
  return negations(sentence.text) === negations(other.text) && own.every((one) => known.has(one));
}

/** The first of the strongest. */
function strongest(sentences: readonly Sentence[], weights: ReadonlyMap<string, number>): Sentence | null {
  let [best, highest]: [Sentence | null, number] = [null, -1];
  for (const sentence of sentences) {
    const sum = [...sentence.stems].reduce((total, stem) => total + (weights.get(stem) ?? 0), 0);
    // The root keeps long sentences from winning by length alone, and short ones from winning by one word.
    const score = (sentence.worth * sum) / Math.sqrt(sentence.stems.size);
    if (score > highest) [best, highest] = [sentence, score];
  }
  return best;
}

/** Words by how many of the texts have them. */
function weightsOf(sources: readonly SourceText[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of sources)
    for (const stem of tellingStems(text.slice(0, READ_CHARACTERS))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return new Map([...counts].map(([stem, count]) => [stem, Math.log2(1 + count)]));
}

const LIST_MARK = /^(?:[-*+•]|\d{1,3}[.)])\s+/;
const SENTENCE_END = /(?<=[.!?])\s+(?=["'(`[]?[\p{Lu}\p{N}])|(?<=[。！？])/u;

/** Lines, divided into sentences, without the marks of lists and headings. */
export function sentencesOf(text: string): string[] {
  return text
    .slice(0, READ_CHARACTERS)
    .toWellFormed()
    .split(/[\r\n\u2028\u2029]+/)
    .flatMap((line) =>
      line
        .trim()
        .replace(/^#+\s+/, "")
        .replace(LIST_MARK, "")
        .split(SENTENCE_END),
    )
    .map((sentence) => cutLine(sentence.replace(/\s+/g, " ").trim(), SENTENCE_CHARACTERS))
    .filter((sentence) => sentence !== "");
}

function specifics(sentence: string): number {
  const identifiers = words(sentence).filter((word) => identifierParts(word).length > 0);
  return new Set([...names(sentence), ...numbers(sentence), ...identifiers]).size;
}

// The changes that fold memories of a session into one summary.
//
// The summary belongs to the project, and fades like everything inferred instead of expiring: an expired one would be
// hidden, but not removed sooner. The sources are closed in its favour, and an edge leads from it to each. A working one then
// becomes a memory of the project: otherwise its text would expire, and a rollback could not restore it.

/** A summary of fewer would only repeat them. */
const FOLDED_LEAST = 2;
const BOUNDS = { characters: 1_500, sentences: 12 };
const ORDINARY_PRIORITY = 5;
const TITLE_CHARACTERS = 100;

/**
 * Whether a memory is folded: scratch work and progress, but nothing pinned, from a file, or code. Only a person folds
 * what a person wrote.
 */
export function isFolded(item: Item, { before, byPerson }: { before: number; byPerson: boolean }): boolean {
  const { scope, type, status, pinned, path, supersededBy, createdAt } = item;
  const isPassing = scope === "working" || (scope === "project" && type === "progress");
  const isKept = pinned || path !== null || supersededBy !== null || type === "code" || type === "code_description";
  if (!byPerson && isPersons(authorOf(item))) return false;
  return isPassing && !isKept && status === "active" && createdAt < before;
}

/** Oldest first. */
export const inOrder = (items: readonly Item[]): Item[] =>
  items.toSorted((one, two) => one.createdAt - two.createdAt || (one.id < two.id ? -1 : 1));

/** `sources` in order, at least `FOLDED_LEAST`. `omitted`: how many of their sentences it leaves out. */
export function summaryOf(
  sources: readonly Item[],
  { session, ...given }: Pick<Item, "session" | "source" | "context" | "details">,
  provenance: Provenance,
): { item: Item; omitted: number } {
  const { content, omitted } = summaryText(sources);
  const all = (most: number, of: (item: Item) => readonly string[]) => [...new Set(sources.flatMap(of))].slice(0, most);
  const item = newItem(
    {
      ...given,
      type: "summary",
      scope: "project",
      content,
      hash: contentHash(content),
      session,
      title: cutLine(`Summary of session ${session}`, TITLE_CHARACTERS),
      tags: all(ITEM_FIELDS.tags.most, ({ tags }) => tags),
      priority: Math.max(...sources.map(({ priority }) => priority)),
      context: {
        ...given.context,
        commits: all(CONTEXT_FIELDS.commits.most, ({ context }) => context.commits),
        files: all(CONTEXT_FIELDS.files.most, ({ context }) => context.files),
        symbols: all(CONTEXT_FIELDS.symbols.most, ({ context }) => context.symbols),
      },
    },
    provenance,
  );
  return { item, omitted };
}

function summaryText(sources: readonly Item[]): { content: string; omitted: number } {
  const texts = sources.map(({ content, priority }) => ({ text: content, weight: priority / ORDINARY_PRIORITY }));
  const { sentences, omitted } = tellingSentences(texts, BOUNDS);
  // Texts without a single word are joined as they are.
  const lines = sentences.length > 0 ? sentences : sources.map(({ content }) => content.trim());
  return { content: cut(lines.join("\n"), BOUNDS.characters), omitted };
}

interface SummarySituation {
  now: number;
  passages: Passage[];
  /** An active memory that already has the summary's content; it then takes its place. */
  twin: Item | null;
  /** Ids of edges that exist already. */
  known: ReadonlySet<string>;
  /** Removals that come first, such as an expired memory with equal content. */
  clearing: readonly Change[];
}

/** The edges from a summary to its sources. */
const sourceEdges = (summary: string, sources: readonly Item[], at: number): Edge[] =>
  sources.map(({ id }) => {
    const ends = { shelf: "memory", source: summary, target: id, relation: "derived_from" } as const;
    return newEdge({ ...ends, strength: 1, bidirectional: false, status: "active", createdAt: at });
  });

export function planSummary(
  sources: readonly Item[],
  item: Item,
  { now, passages, twin, known, clearing }: SummarySituation,
): Change[] {
  const id = twin?.id ?? item.id;
  const embed = isEmbedded(item.type);
  return [
    ...clearing,
    ...sources.map((source) => closing(source, id, now, kept(source))),
    ...(twin ? [] : [{ kind: "insert_item", shelf: "memory", item, passages, embed } as const]),
    ...sourceEdges(id, sources, now)
      .filter((edge) => !known.has(edge.id))
      .map((edge) => ({ kind: "insert_edge", edge }) as const),
  ];
}

const kept = ({ scope }: Item) => (scope === "working" ? ({ scope: "project", expiresAt: null } as const) : {});

interface Summarized {
  /** Null if there was too little to fold. */
  summary: Item | null;
  /** Oldest first. */
  sources: Item[];
  /** How many sentences of the sources the summary leaves out. */
  omitted: number;
  /** How many more could be folded by another call. */
  left: number;
  /** Why nothing was folded; null if something was. */
  reason: string | null;
  /** If nothing was folded: the sessions with something to fold, now or later, the latest first. */
  sessions: FoldableSession[];
}

interface FoldableSession {
  session: string;
  /** How many memories are old enough. */
  old: number;
  /** How many are still in use. */
  newer: number;
}

const MINUTE_MS = 60_000;
/** One transaction should not keep others waiting. */
const FOLDED_MOST = 200;
/** Some of them may be exempt. */
const READ_MOST = 1_000;
const SESSIONS_MOST = 10;

export async function summarize(
  { session, olderThanMinutes }: { session: string; olderThanMinutes: number },
  world: DraftWorld,
): Promise<Summarized> {
  return commit<Summarized>(
    world.project,
    async () => {
      const now = world.clock.now();
      const { items, unread } = await foldable(session, now - olderThanMinutes * MINUTE_MS, world);
      const sources = items.slice(0, FOLDED_MOST);
      if (sources.length < FOLDED_LEAST) {
        const sessions = await foldableSessions(now - olderThanMinutes * MINUTE_MS, world);
        const reason = await reasonFor(session, items.length, world);
        return { changes: [], answer: { summary: null, sources: [], omitted: 0, left: 0, sessions, reason } };
      }
      const { changes, summary, omitted } = await planFor(sources, session, world);
      const left = items.length - sources.length + unread;
      return { changes, answer: { summary, sources, omitted, left, sessions: [], reason: null } };
    },
    world,
  );
}

/** Another memory may already say what the summary would; it then takes its place. */
async function planFor(
  sources: readonly Item[],
  session: string,
  world: DraftWorld,
): Promise<{ changes: Change[]; summary: Item; omitted: number }> {
  const now = world.clock.now();
  const given = { session, source: "system_auto", ...contextOf(world) } as const;
  const { item, omitted } = summaryOf(sources, given, provenanceIn(world));
  const same = await world.project.sameContent("memory", "project", item.hash);
  const other = same && !sources.some(({ id }) => id === same.id) ? same : null;
  const twin = other && !isExpired(other, now) ? other : null;
  const summary = twin ?? item;
  const edges = sourceEdges(summary.id, sources, now).map(({ id }) => id);
  const changes = planSummary(sources, item, {
    now,
    twin,
    clearing: other && !twin ? [removing("memory", other)] : [],
    passages: await passagesOf(item, world),
    known: new Set((await world.project.edges("memory", edges)).map(({ id }) => id)),
  });
  return { changes, summary, omitted };
}

/** Why a session has nothing to fold; `old` is how many of its memories could be. */
async function reasonFor(session: string, old: number, { project, clock, origin }: DraftWorld): Promise<string> {
  const ofSession: Filter = { statuses: ["active"], now: clock.now(), session };
  const items: Item[] = [];
  for (const part of PASSING)
    items.push(...(await project.list("memory", { ...ofSession, ...part }, { limit: READ_MOST, offset: 0 })).items);
  if (items.length === 0) {
    const { total } = await project.list("memory", { ...ofSession, statuses: Status.options }, { limit: 0, offset: 0 });
    return total === 0 ? "it has no memories" : "it has no working or progress memories";
  }
  const isFree = (byPerson: boolean) => items.filter((item) => isFolded(item, { before: Infinity, byPerson })).length;
  const [free, all] = [isFree(isPerson(origin)), isFree(true)];
  if (all > free && free < FOLDED_LEAST)
    return `${counted(all - free, "of its memories was", "of its memories were")} written by a person, and only a person folds those`;
  if (free === 0) return "its memories are pinned, notes or code";
  if (free < FOLDED_LEAST) return "it has only one such memory, which a summary would repeat";
  return old === 0 ? "all its memories are too new" : "all but one of its memories are too new";
}

async function foldable(
  session: string,
  before: number,
  { project, clock, origin }: DraftWorld,
): Promise<{ items: Item[]; unread: number }> {
  const filter: Filter = { statuses: ["active"], now: clock.now(), session, createdBefore: before };
  const items: Item[] = [];
  let unread = 0;
  for (const part of PASSING) {
    const asked = { ...filter, ...part };
    const { total } = await project.list("memory", asked, { limit: 0, offset: 0 });
    // A list begins with the newest, and the oldest are folded first.
    const offset = Math.max(0, total - READ_MOST);
    unread += offset;
    if (total > 0) items.push(...(await project.list("memory", asked, { limit: READ_MOST, offset })).items);
  }
  const byPerson = isPerson(origin);
  return { items: inOrder(items.filter((item) => isFolded(item, { before, byPerson }))), unread };
}

const PASSING: readonly Partial<Filter>[] = [{ scopes: ["working"] }, { scopes: ["project"], types: ["progress"] }];

const isPerson = ({ host, byAgent = false }: DraftWorld["origin"]): boolean =>
  isByHand({ source: "user_explicit", host, byAgent });

/** Among the latest memories of each kind. */
async function foldableSessions(before: number, { project, clock, origin }: DraftWorld): Promise<FoldableSession[]> {
  const filter: Filter = { statuses: ["active"], now: clock.now() };
  const byPerson = isPerson(origin);
  const items: Item[] = [];
  for (const part of PASSING)
    items.push(...(await project.list("memory", { ...filter, ...part }, { limit: READ_MOST, offset: 0 })).items);
  const latestFirst = inOrder(items.filter((item) => isFolded(item, { before: Infinity, byPerson }))).reverse();
  return [...Map.groupBy(latestFirst, (item) => item.session)]
    .map(([session, own]) => {
      const old = own.filter(({ createdAt }) => createdAt < before).length;
      return { session, old, newer: own.length - old };
    })
    .filter(({ old, newer }) => old + newer >= FOLDED_LEAST)
    .slice(0, SESSIONS_MOST);
}
