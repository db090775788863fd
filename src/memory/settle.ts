/**
 * Settles what two items are to each other, once: one replaces the other, both hold, one repeats the other, or they are
 * unrelated.
 *
 * Between two of one shelf the verdict is an edge, with the other item closed if it is replaced or repeated; of a memory and
 * a decision it is kept with the memory. An agent settles what agents wrote. What a person typed, pinned or agreed to, and
 * what is decided, is settled by a person; so is what a person has settled before.
 */
import type { Consent } from "../catalog/question.ts";
import { linkFault, windowOf } from "../decisions/chain.ts";
import { fingerprint, isForAgent, needConsent, refusalFailure, type Touched } from "../decisions/consent.ts";
import { closingAt } from "../decisions/ratify-rules.ts";
import { readDecisions } from "../decisions/read-decisions.ts";
import { Failure } from "../errors.ts";
import { type Edge, type EdgeShelf, hasEdges, newEdge, possibleEdgeIds, type Relation } from "../graph/edges.ts";
import { checkLasting, checkSuccession, notInForce } from "../graph/link.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { redactor } from "../redaction/redact.ts";
import type { LookupWorld, World } from "../world.ts";
import { findItem, type Found } from "./find-item.ts";
import { handleOf } from "./handles.ts";
import { closing, revising } from "./item-changes.ts";
import type { Item } from "./item.ts";
import { isOfPerson, settledIn } from "./neighbours.ts";
import { resolveId, unknownIdFailure } from "./resolve-id.ts";
import { SETTLED, type Verdict, type VerdictKind } from "./verdict.ts";

interface SettleRequest {
  one: string;
  other: string;
  as: VerdictKind;
  /** Under which condition each holds. */
  when?: string | undefined;
}

interface Settled {
  status: "settled" | "unchanged";
  as: VerdictKind;
  one: string;
  other: string;
  /** The item that was closed in favour of the other. */
  closed: string | null;
  when: string | null;
}

type SettleWorld = LookupWorld & Pick<World, "origin" | "zone">;

export async function settle(request: SettleRequest, consent: Consent | null, world: SettleWorld): Promise<Settled> {
  const { one } = await readPair(request, world);
  return commit(
    one.store,
    async () => {
      const pair = await readPair(request, world);
      needConsent({ about: aboutOf(pair, request, world) }, consent, world);
      return planSettling(pair, request, consent !== null, world);
    },
    world,
  );
}

/** What a person has to agree to, or null. */
export async function settlingTouches(request: SettleRequest, world: SettleWorld): Promise<Touched> {
  const pair = await readPair(request, world);
  const about = aboutOf(pair, request, world);
  const shown = [pair.one.item, pair.other.item];
  return { count: isDecided(pair) ? shown.length : 0, shown, otherwise: "what a person said or settled", about };
}

interface Pair {
  one: Found;
  other: Found;
  /** What anybody stated of the two, if they are on one shelf. */
  stated: Edge[];
}

async function readPair({ one, other }: SettleRequest, world: LookupWorld): Promise<Pair> {
  const pair: Pair = { one: await need(one, world), other: await need(other, world), stated: [] };
  if (pair.one.item.id === pair.other.item.id)
    throw new Failure("invalid_input", `Both are ${handleOf(pair.one.item.id)}.`, "Name two different items.");
  if (pair.one.store !== pair.other.store)
    throw new Failure(
      "invalid_input",
      `${handleOf(pair.one.item.id)} and ${handleOf(pair.other.item.id)} are in two stores.`,
      "Promote one of them first, so that both are global or both of this project.",
    );
  for (const { item, shelf } of [pair.one, pair.other]) {
    if (shelf === "proposal")
      throw new Failure(
        "invalid_input",
        `${handleOf(item.id)} is a proposal; it is settled when it is ratified.`,
        `\`stele ratify ${handleOf(item.id)}\` shows what it replaces; \`--with\` and \`--when\` keep both.`,
      );
    if (!hasEdges(shelf))
      throw new Failure("invalid_input", `${handleOf(item.id)} is ${shelf}.`, "Name memories or decisions.");
    checkLasting(item);
  }
  return { ...pair, stated: await statedOf(pair) };
}

async function statedOf({ one, other }: Pair): Promise<Edge[]> {
  if (one.shelf !== other.shelf) return [];
  const shelf = one.shelf as EdgeShelf;
  const between = await one.store.edges(shelf, possibleEdgeIds(shelf, one.item.id, other.item.id));
  return between.filter(({ made }) => !made);
}

const isDecided = ({ one, other }: Pair): boolean => one.shelf === "decision" && other.shelf === "decision";

/** What was settled of the two so far. */
const verdictsOn = ({ one, other, stated }: Pair): Verdict[] =>
  [
    ...stated.map(({ verdict }) => verdict),
    settledIn(one.item)[other.item.id],
    settledIn(other.item)[one.item.id],
  ].filter((one) => one !== undefined);

async function need(typed: string, world: LookupWorld): Promise<Found> {
  const found = await findItem(await resolveId(typed, "item", world), world);
  if (found) return found;
  throw await unknownIdFailure(typed, "item", world);
}

/** A fingerprint of what a person must agree to: anything about decisions, and an agent's word on what is a person's. */
function aboutOf(pair: Pair, { as, when }: SettleRequest, { origin }: SettleWorld): string | null {
  const { one, other } = pair;
  const isPersonal =
    [one, other].some(({ item, shelf }) => shelf === "memory" && isOfPerson(item)) ||
    verdictsOn(pair).some(({ by }) => by === "person");
  if (!isDecided(pair) && !(isPersonal && isForAgent(origin))) return null;
  return fingerprint(["settle", as, when, ...[one, other].map(({ item }) => [item.id, item.version])]);
}

type Planned = { changes: Change[]; answer: Settled };

async function planSettling(
  pair: Pair,
  request: SettleRequest,
  isAsked: boolean,
  world: SettleWorld,
): Promise<Planned> {
  const { as } = request;
  const when = request.when === undefined ? undefined : redactor().clean(request.when.trim());
  const by = isAsked || !isForAgent(world.origin) ? "person" : "agent";
  const verdict: Verdict = { as, by, ...(when && { when }) };
  const { one, other, stated } = pair;
  if (as === "both" && isDecided(pair) && !when)
    throw new Failure(
      "invalid_input",
      "Two decisions about the same hold only under different conditions.",
      "Say in a few words when each of them holds, with `--when`.",
    );
  const isClosing = as === "replaces" || as === "repeats";
  const [kept, closed] = isClosing ? keptOf(pair, as) : [null, null];
  const settled = (changes: Change[]): Planned => ({
    changes,
    answer: {
      status: changes.length > 0 ? "settled" : "unchanged",
      as,
      one: one.item.id,
      other: other.item.id,
      closed: closed?.item.id ?? null,
      when: when ?? null,
    },
  });
  const isKnown = closed
    ? closed.item.supersededBy === kept.item.id
    : verdictsOn(pair).some(
        (known) => known.as === as && known.when === verdict.when && (known.by === by || by === "agent"),
      );
  if (isKnown) return settled([]);
  for (const { item } of [one, other])
    if (item.status !== "active" || item.supersededBy !== null) throw notInForce(item, "be settled again");
  if (one.shelf !== other.shelf) return settled(acrossShelves(pair, kept, verdict, world));
  const shelf = one.shelf as EdgeShelf;
  const changes: Change[] = stated
    .filter(({ relation }) => relation === "relates_to" || relation === "contradicts")
    .map(({ id }) => ({ kind: "remove_edge", shelf, id }));
  if (closed) changes.push(await ending(kept, closed, stated, world));
  const edge = (relation: Relation, status: Edge["status"], ends: [Item, Item]): Change => ({
    kind: "insert_edge",
    edge: newEdge({
      shelf,
      source: ends[0].id,
      target: ends[1].id,
      relation,
      strength: 1,
      bidirectional: relation === "relates_to",
      status,
      createdAt: world.clock.now(),
      verdict,
    }),
  });
  changes.push(
    closed
      ? edge("supersedes", "active", [kept.item, closed.item])
      : edge("relates_to", as === "both" ? "active" : "dismissed", [one.item, other.item]),
  );
  return settled(changes);
}

/** Of a repetition the decision stays, or what a person said, else the newer one. */
function keptOf({ one, other }: Pair, as: VerdictKind): [Found, Found] {
  if (as === "replaces") return [one, other];
  if (one.shelf !== other.shelf) return one.shelf === "decision" ? [one, other] : [other, one];
  if (isOfPerson(one.item) !== isOfPerson(other.item)) return isOfPerson(one.item) ? [one, other] : [other, one];
  return one.item.createdAt >= other.item.createdAt ? [one, other] : [other, one];
}

async function ending(kept: Found, closed: Found, between: readonly Edge[], world: SettleWorld): Promise<Change> {
  if (kept.shelf === "memory") {
    checkSuccession(kept.item, closed.item, between);
    return closing(closed.item, kept.item.id, world.clock.now());
  }
  const successor = { id: kept.item.id, window: windowOf(kept.item) };
  const decisions = await readDecisions(world, {
    id: kept.item.id,
    subject: kept.item.title ?? "",
    text: kept.item.content,
    named: [closed.item.id],
    validUntil: kept.item.validUntil,
  });
  const fault = linkFault(closed.item, successor, decisions);
  if (fault) throw refusalFailure(fault, kept.item.id, world.zone);
  return closingAt("decision", closed.item, successor, world.clock.now());
}

/** A decision may replace a memory; what else was said of the two is kept with the memory. */
function acrossShelves({ one, other }: Pair, kept: Found | null, verdict: Verdict, world: SettleWorld): Change[] {
  const [memory, decision] = one.shelf === "memory" ? [one.item, other.item] : [other.item, one.item];
  if (kept) {
    if (kept.shelf === "memory")
      throw new Failure(
        "invalid_input",
        `${handleOf(decision.id)} is a decision, which a memory does not replace.`,
        `Propose another decision that supersedes ${handleOf(decision.id)}.`,
      );
    return [closingAt("memory", memory, { id: decision.id, window: windowOf(decision) }, world.clock.now())];
  }
  const details = { ...memory.details, [SETTLED]: { ...settledIn(memory), [decision.id]: verdict } };
  return [revising("memory", memory, { details })];
}
