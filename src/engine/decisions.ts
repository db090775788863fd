/**
 * What holds, or held at a time: by its subject, else by where the subject's chain leads, else by likeness.
 *
 * Only the kernel is read. A subject that is known and has nothing that holds is answered with nothing,
 * because something else would only look like an answer.
 */
import { nearest } from "../errors.ts";
import { subjectKey } from "../logic/subject.ts";
import { holding, holdsAt, predecessors, successors } from "../logic/decision-chain.ts";
import type { Hit, Mode } from "../model/hit.ts";
import type { Item } from "../model/item.ts";
import type { Filter, World } from "../ports.ts";
import { readDecisions } from "./decision-shelf.ts";
import { placesFor } from "./gather.ts";
import { namedHits } from "./hits.ts";
import { type RecallAnswer, recall } from "./recall.ts";
import { redactor } from "./redact.ts";

export interface DecisionsRequest {
  /** All subjects when omitted. */
  subject?: string | undefined;
  /** Now when omitted. */
  at?: number | undefined;
  limit: number;
  mode: Mode;
  /** Least relevance of what is only like the subject. */
  threshold: number;
}

export async function decisionsAbout(request: DecisionsRequest, world: World): Promise<RecallAnswer> {
  const at = request.at ?? world.clock.now();
  const decisions = await readDecisions(world);
  const answer = await answerFor({ ...request, at }, decisions, world);
  const hits = answer.hits.map((hit) => ({ ...hit, related: successors(hit.id, decisions).map(({ id }) => id) }));
  return { ...answer, hits };
}

type Timed = DecisionsRequest & { at: number };

async function answerFor(
  { subject, at, limit, mode, threshold }: Timed,
  decisions: ReadonlyMap<string, Item>,
  world: World,
): Promise<RecallAnswer> {
  const filter: Partial<Filter> = { ...{ scopes: ["project"], statuses: ["active", "superseded"] }, validAt: at };
  const [place] = placesFor(["decision"], filter, world);
  const named = (items: readonly Item[]): Promise<Hit[]> =>
    namedHits(items.slice(0, limit), place!, world, subject === undefined ? {} : { entity: 1 });
  const degraded = world.project.readOnly ? "read-only" : null;
  if (subject === undefined) return { mode, degraded, hits: await named(holding(decisions.values(), at)) };
  const known = knownUnder(subject, decisions);
  if (known.length > 0) return { mode, degraded, hits: await named(heldFor(known, decisions, at)) };
  const near = nearSubject(subject, holding(decisions.values(), at));
  const found = await recall(
    {
      ...{ query: subject, limit, mode, threshold, shelves: ["decision"], isRouted: true },
      filter: { ...filter, viaPredecessors: false },
    },
    world,
  );
  const first = near.length > 0 ? await named(near) : [];
  const rest = found.hits.filter(({ id }) => !near.some((item) => item.id === id));
  return { ...found, hits: [...first, ...rest].slice(0, limit) };
}

/** Every decision of the subject, whether it holds or not. Forgotten ones are not known. */
function knownUnder(subject: string, decisions: ReadonlyMap<string, Item>): Item[] {
  const key = subjectKey(redactor().clean(subject));
  return [...decisions.values()].filter(
    ({ title, status }) => subjectKey(title ?? "") === key && (status === "active" || status === "superseded"),
  );
}

/** A chain may have gone on, or begun, under another subject. */
function heldFor(known: readonly Item[], decisions: ReadonlyMap<string, Item>, at: number): Item[] {
  const own = holding(known, at);
  if (own.length > 0) return own;
  const chains = known.flatMap(({ id }) => [...successors(id, decisions), ...predecessors(id, decisions)]);
  return [...new Set(chains)].filter((item) => holdsAt(item, at));
}

/** Subjects that say more or less of the same words, else the one that was probably meant. */
function nearSubject(subject: string, held: readonly Item[]): Item[] {
  const asked = wordsOf(subject);
  const isPart = (one: readonly string[], other: readonly string[]) => one.every((word) => other.includes(word));
  const alike = held.filter(({ title }) => {
    const words = wordsOf(title ?? "");
    return words.length > 0 && (isPart(asked, words) || isPart(words, asked));
  });
  if (alike.length > 0) return alike;
  const meant = nearest(subjectKey(subject), [...new Set(held.map(({ title }) => subjectKey(title ?? "")))]);
  return meant === null ? [] : held.filter(({ title }) => subjectKey(title ?? "") === meant);
}

const wordsOf = (subject: string): string[] => subjectKey(subject).split(" ").filter(Boolean);
