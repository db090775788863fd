/**
 * Reads and writes edges, how many lead to an item, and which memories are not linked yet.
 *
 * An edge needs both its ends: removing an item removes its edges, each stated one with its own journal entry, so that a
 * rollback restores them too. Edges of working items are not journaled, like the items, nor are made edges.
 *
 * Made edges are derived from the texts of memories and replaced whenever a memory is linked again; of very many that lead
 * to one memory, the strongest are kept. While anything is stated and not only suggested about the same two items they are
 * dismissed, not removed, so that taking the statement back needs no text to be read again.
 *
 * How far memories are linked is a mark: up to which passage. Passage numbers are never reused, and a memory whose text
 * changes gets new ones. So writing a memory costs nothing more, and whatever is numbered after the mark waits.
 */
import { type Edge, edgeName, type EdgeShelf, hasEdges } from "../graph/edges.ts";
import { INCOMING_MOST, statusOfMade } from "../graph/likeness.ts";
import { handleOf } from "../memory/handles.ts";
import type { Scope } from "../memory/item.ts";
import type { NearPair, NearShelf } from "../memory/near-pair.ts";
import type { Shelf } from "../memory/shelves.ts";
import { isVerdict, type Verdict } from "../memory/verdict.ts";
import { among, contains, each, hint, upTo } from "./dialect.ts";
import { inDegree, MOST_INCOMING } from "./filter.ts";
import type { EdgeLog, TransactionOrigin } from "./journal-link.ts";
import {
  allOf,
  arrays,
  column,
  count,
  either,
  join,
  raw,
  type Room,
  row,
  rows,
  rowsAs,
  send,
  type Sql,
  sql,
  type Steps,
  together,
  value,
  type Writers,
} from "./sql.ts";
import type { EdgeQuery, EdgeReads } from "./store.ts";

/** Converts between edges and rows, whichever database they come from. */
type EdgeRow = Omit<Edge, "bidirectional" | "made" | "verdict"> & {
  bidirectional: number;
  made: number;
  verdict: string | null;
};

function toEdge({ made, verdict: written, ...row }: EdgeRow): Edge {
  const verdict = written === null ? null : verdictIn(written);
  return {
    ...row,
    bidirectional: row.bidirectional === 1,
    // Absent unless true: the journal compares edges as text, and those written before have no such field.
    ...(made === 1 && { made: true }),
    ...(verdict && { verdict }),
  };
}

function verdictIn(text: string): Verdict | null {
  try {
    const found: unknown = JSON.parse(text);
    return isVerdict(found) ? found : null;
  } catch {
    return null;
  }
}

const toRow = (edge: Edge): EdgeRow => ({
  ...edge,
  bidirectional: edge.bidirectional ? 1 : 0,
  made: edge.made ? 1 : 0,
  verdict: edge.verdict ? JSON.stringify(edge.verdict) : null,
});

const EDGE_COLUMNS = `edge.id, edge.shelf, edge.source, edge.target, edge.relation, edge.strength, edge.bidirectional,
  edge.status, edge.created_at as "createdAt", edge.made, edge.verdict`;

/** The strongest first. */
const byStrength = (one: Pick<Edge, "id" | "strength">, two: Pick<Edge, "id" | "strength">): number =>
  two.strength - one.strength || (one.id < two.id ? -1 : 1);

const EDGE = raw(EDGE_COLUMNS);
const IN_DEGREE = either(raw(inDegree("sqlite")), raw(inDegree("postgres")));
const LINKED = "linked_memory";

/** Shelves name tables, so of a row that somebody else wrote only these are believed. */
const NEAR: readonly NearShelf[] = ["memory", "decision", "proposal"];

/** Statuses and relations are fixed words of ours. */
const inWords = (words: readonly string[]) => raw(`in (${words.map((word) => `'${word}'`).join(", ")})`);

/**
 * For each item the strongest edges at either end: an index range that stops once enough are found, because an item
 * may have thousands.
 */
function around(shelf: EdgeShelf, ids: readonly string[], query: EdgeQuery): Sql {
  const { statuses, relations, made, direction, neighbours, minimumStrength = 0, limit } = query;
  const at = (end: "source" | "target", far: "source" | "target", isFollowed: boolean) => {
    const passing = (name: string) => {
      const edge = raw(name);
      return sql`${edge}.${raw(end)} = near.value and ${allOf([
        sql`${edge}.shelf = ${raw(`'${shelf}'`)} and ${edge}.strength >= ${minimumStrength}`,
        statuses && sql`${edge}.status ${inWords(statuses)}`,
        relations && sql`${edge}.relation ${inWords(relations)}`,
        made !== undefined && sql`${edge}.made = ${raw(made ? "1" : "0")}`,
        !isFollowed && sql`${edge}.bidirectional = 1`,
        neighbours &&
          sql`exists (
            select 1 from ${raw(shelf)}_item item where item.id = ${edge}.${raw(far)} and item.status ${inWords(neighbours)})`,
      ])} order by ${edge}.strength desc, ${edge}.id ${upTo(limit)}`;
    };
    return either(
      sql`select near.value as near, ${EDGE} from ${each(ids, "near")} cross join edge where edge.rowid in (
        select best.rowid from edge best indexed by edge_${raw(end)} where ${passing("best")})`,
      sql`select near.value as near, edge.* from ${each(ids, "near")} cross join lateral (
        select ${EDGE} from edge where ${passing("edge")}) edge`,
    );
  };
  const [outward, inward] = [direction !== "incoming", direction !== "outgoing"];
  return sql`${at("source", "target", outward)} union all ${at("target", "source", inward)}`;
}

const mark = () => value<string>(sql`select value from fact where key = ${LINKED}`);

export const edgeReads: Room<EdgeReads> = {
  *edgesOf(shelf, ids, query) {
    const near = yield* rows<EdgeRow & { near: string }>(around(shelf, [...new Set(ids)], query));
    const found = new Map<string, Edge>();
    for (const own of Map.groupBy(near.sort(byStrength), (one) => one.near).values())
      for (const { near: _, ...edge } of own.slice(0, query.limit)) found.set(edge.id, toEdge(edge));
    return [...found.values()].sort(byStrength);
  },
  edges: (shelf, ids) =>
    rowsAs(toEdge, sql`select ${EDGE} from edge where shelf = ${shelf} and id ${among(ids)} order by id`),
  newestEdges(shelf, status, limit) {
    const isActive = (end: "source" | "target") =>
      raw(`exists (select 1 from ${shelf}_item item where item.id = edge.${end} and item.status = 'active')`);
    // From the end of the table: where such edges are not rare, few rows are read.
    return rowsAs(
      toEdge,
      sql`select ${EDGE} from edge ${hint("not indexed")}
      where shelf = ${shelf} and status = ${status} and ${isActive("source")} and ${isActive("target")}
      order by ${either(raw("rowid"), raw("seq"))} desc ${upTo(limit)}`,
    );
  },
  walkEdges: (shelf, { after, limit }) =>
    rowsAs(
      toEdge,
      sql`select ${EDGE} from edge ${hint("indexed by edge_stated")}
      where shelf = ${shelf} and id > ${after ?? ""} and made = 0 order by id ${upTo(limit)}`,
    ),
  nearPairs: (ids) => {
    const near = (end: "newer" | "older") => sql`
      select newer, newer_shelf as "newerShelf", older, older_shelf as "olderShelf", nearness, kind from near_pair
      where ${raw(end)} ${among(ids)} and newer_shelf ${inWords(NEAR)} and older_shelf ${inWords(NEAR)}`;
    return rows<NearPair>(sql`${near("newer")} union ${near("older")} order by nearness desc, newer, older`);
  },
  *inDegrees(ids) {
    const [found, most] = yield* together(
      arrays<[string, number | null]>(
        sql`select item.id, ${IN_DEGREE} from memory_item item where item.id ${among(ids)}`,
      ),
      value<number>(sql`select ${raw(MOST_INCOMING)}`),
    );
    return { of: new Map(found.flatMap(([id, edges]) => (edges ? [[id, edges] as const] : []))), most: most ?? 0 };
  },
  *unlinked(limit, given) {
    const after = given ?? Number((yield* mark()) ?? 0);
    const next = yield* column<number>(
      sql`select seq from memory_passage where seq > ${after} order by seq ${upTo(limit)}`,
    );
    const last = next.at(-1);
    if (last === undefined) return null;
    // Ordered by their last passage, because that is where a memory's turn comes.
    const ids = yield* column<string>(sql`
      select item.id from memory_passage passage join memory_item item on item.seq = passage.item_seq
      where passage.seq > ${after} and passage.seq <= ${last} and not exists (
        select 1 from memory_passage later where later.item_seq = passage.item_seq and later.seq > passage.seq)
      order by passage.seq`);
    return { after, upTo: last, ids };
  },
  unlinkedAmong: (ids, after) =>
    column(sql`
      select item.id from memory_item item where item.id ${among(ids)} and exists (
        select 1 from memory_passage passage where passage.item_seq = item.seq and passage.seq > ${after})`),
};

type Ends = Pick<Edge, "shelf" | "source" | "target">;

/** Between two items, whichever is the source. */
function between(columns: string, { shelf, source, target }: Ends, also: string): Sql {
  const from = (one: string, other: string) => sql`
    select ${raw(columns)} from edge ${hint("indexed by edge_once")}
    where source = ${one} and target = ${other} and shelf = ${shelf} and ${raw(also)}`;
  return sql`${from(source, target)} union all ${from(target, source)}`;
}

/** Nobody has agreed to a suggestion yet. */
const stated = (ends: Ends) => between("1", ends, "made = 0 and status <> 'suggested'");
const made = (columns: string, ends: Ends) => between(columns, ends, "made = 1");

const insertion = (edge: Edge, values: (values: Sql) => Sql): Sql => {
  const { id, shelf, source, target, relation, strength, bidirectional, status, createdAt, ...rest } = toRow(edge);
  const given = [
    id,
    shelf,
    source,
    target,
    relation,
    strength,
    bidirectional,
    status,
    createdAt,
    rest.made,
    rest.verdict,
  ];
  return sql`
    insert into edge (id, shelf, source, target, relation, strength, bidirectional, status, created_at, made, verdict)
    ${values(
      join(
        given.map((one) => sql`${one}`),
        ", ",
      ),
    )} on conflict do nothing`;
};

const scopeOf = (shelf: EdgeShelf, id: string) =>
  value<Scope>(sql`select scope from ${raw(shelf)}_item where id = ${id}`);

const touching = (id: string) =>
  rows<EdgeRow>(sql`
    select ${EDGE} from edge where edge.source = ${id} union all select ${EDGE} from edge where edge.target = ${id}`);

const forgetNear = (id: string) => sql`delete from near_pair where newer = ${id} or older = ${id}`;

export interface EdgeRoom {
  writers: Writers<"insert_edge" | "remove_edge" | "link_memories" | "note_near">;
  /** Removes all edges of an item that is about to be removed. */
  removeOf(shelf: Shelf, itemId: string, transaction: TransactionOrigin): Steps<void>;
  /** Erases all edges of an item, and earlier ones from the journal. */
  eraseOf(itemId: string, transaction: TransactionOrigin): Steps<void>;
}

export function edgeRoom(log: EdgeLog): EdgeRoom {
  function* remove(edge: Edge, transaction: TransactionOrigin): Steps<void> {
    if (edge.made) return yield* send(sql`delete from edge where id = ${edge.id}`);
    const scopes = yield* together(scopeOf(edge.shelf, edge.source), scopeOf(edge.shelf, edge.target));
    yield* send(sql`delete from edge where id = ${edge.id}`);
    if (!scopes.includes("working")) log.writeEdge("remove_edge", edge, transaction);
    // What was made counts again, unless another one is stated.
    const [another, derived] = yield* together(
      value(sql`${stated(edge)} limit 1`),
      rows<{ id: string; strength: number }>(made("id, strength", edge)),
    );
    if (another !== null) return;
    for (const { id, strength } of derived)
      yield* send(sql`update edge set status = ${statusOfMade(strength)} where id = ${id}`);
  }

  return {
    writers: {
      *insert_edge({ kind, edge }, transaction) {
        const { shelf, source, target, relation } = edge;
        const scopes = yield* together(scopeOf(shelf, source), scopeOf(shelf, target));
        const missing = [source, target].find((_, end) => scopes[end] === null);
        if (missing !== undefined) return `${shelf} ${handleOf(missing)} is gone`;
        const reversed = sql`
          select 1 from edge ${hint("indexed by edge_once")}
          where source = ${target} and target = ${source} and shelf = ${shelf} and relation = 'supersedes'`;
        if (relation === "supersedes" && (yield* value(reversed)) !== null)
          return `${shelf} ${handleOf(target)} supersedes ${handleOf(source)} already`;
        const inserted = yield* count(insertion(edge, (values) => sql`values (${values})`));
        if (inserted === 0) return `the edge \`${edgeName(edge)}\` already exists`;
        if (!edge.made && !scopes.includes("working")) log.writeEdge(kind, edge, transaction);
        if (edge.status !== "suggested")
          yield* send(sql`update edge set status = 'dismissed' where id in (${made("id", edge)})`);
        return null;
      },
      *remove_edge({ shelf, id }, transaction) {
        const found = yield* row<EdgeRow>(sql`select ${EDGE} from edge where shelf = ${shelf} and id = ${id}`);
        if (!found) return `edge ${id} is gone`;
        yield* remove(toEdge(found), transaction);
        return null;
      },
      *link_memories({ after, upTo: last, removed, made: added }) {
        if (Number((yield* mark()) ?? 0) !== after) return "the same memories were linked in the meantime";
        yield* send(sql`delete from edge where id ${among(removed)} and made = 1`);
        for (const edge of added) {
          const isThere = (id: string) => sql`exists (select 1 from ${raw(edge.shelf)}_item where id = ${id})`;
          yield* send(
            insertion(
              edge,
              (values) => sql`select ${values}
              where not exists (${stated(edge)}) and ${isThere(edge.source)} and ${isThere(edge.target)}`,
            ),
          );
        }
        // A literal offset, because SQLite would plan the statement again for every bound one.
        for (const target of new Set(added.map((edge) => edge.target)))
          yield* send(sql`
            delete from edge where made = 1 and id in (
              select id from edge ${hint("indexed by edge_target")}
              where target = ${target} and shelf = 'memory' and made = 1
              order by strength desc, id limit 1000000000 offset ${raw(String(INCOMING_MOST))})`);
        yield* send(sql`
          insert into fact (key, value) values (${LINKED}, ${String(last)})
          on conflict (key) do update set value = excluded.value`);
        return null;
      },
      *note_near({ id, pairs }) {
        yield* send(sql`delete from near_pair where newer = ${id}`);
        for (const { newer, newerShelf, older, olderShelf, nearness, kind } of pairs)
          yield* send(sql`
            insert into near_pair (newer, newer_shelf, older, older_shelf, nearness, kind)
            values (${newer}, ${newerShelf}, ${older}, ${olderShelf}, ${nearness}, ${kind}) on conflict do nothing`);
        return null;
      },
    },
    *removeOf(shelf, itemId, transaction) {
      yield* send(forgetNear(itemId));
      if (!hasEdges(shelf)) return;
      for (const found of yield* touching(itemId)) if (found.shelf === shelf) yield* remove(toEdge(found), transaction);
    },
    *eraseOf(itemId, transaction) {
      yield* send(forgetNear(itemId));
      const erased = new Map<string, EdgeShelf>();
      const [touched, kept] = yield* together(
        touching(itemId),
        // A text search, so that tampered payloads are erased too.
        rows<{ seq: number; id: string; shelf: EdgeShelf }>(sql`
          select entry.seq, entry.item_id as id, entry.shelf
          from journal entry ${hint("indexed by journal_edge")} join journal_payload kept on kept.seq = entry.seq
          where entry.kind = 'remove_edge' and ${contains("kept.payload", itemId)} order by entry.seq`),
      );
      for (const { id, shelf, made: isMade } of touched) {
        yield* send(sql`delete from edge where id = ${id}`);
        if (!isMade) erased.set(id, shelf);
      }
      for (const { seq, id, shelf } of kept) {
        yield* send(sql`delete from journal_payload where seq = ${seq}`);
        erased.set(id, shelf);
      }
      for (const [id, shelf] of erased) log.writeErasure(shelf, id, transaction);
    },
  };
}
