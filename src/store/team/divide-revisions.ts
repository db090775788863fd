/**
 * Divides revisions of memories, which may move them from this machine to the server.
 *
 * A working memory that is to last is inserted there, and only then removed here, on record, so that a rollback brings it
 * back. One that is replaced, as by a summary, becomes a closed memory of this machine: only what replaced it is sent.
 */
import { removing, revising } from "../../logic/memory/item-changes.ts";
import { isExpected } from "../../logic/memory/item-state.ts";
import type { Change } from "../../model/journal/change.ts";
import { handleOf } from "../../model/memory/handles.ts";
import { type Conflict, type Of, type Outcome, type Situation, toOwn, toShared } from "./division.ts";
import { isOfFiles } from "./parts.ts";

/** A working memory that is to last in the project. One that becomes global is nobody else's. */
export const isPromotion = (change: Change): change is Of<"revise_item"> =>
  becomesProject(change) && change.set.status !== "superseded";

/** A working memory that is kept for its history alone. */
export const isFolding = (change: Change): change is Of<"revise_item"> =>
  becomesProject(change) && change.set.status === "superseded" && Boolean(change.set.supersededBy);

const becomesProject = (change: Change): change is Of<"revise_item"> =>
  change.kind === "revise_item" && change.shelf === "memory" && change.set.scope === "project";

export const ofItem = async (change: Of<"revise_item" | "remove_item">, now: Situation): Outcome => {
  const isHere = isOfFiles(change.shelf) || (change.shelf === "memory" && now.here.has(change.id));
  await (isHere ? toOwn : toShared)(change, now);
};

/** A promoted memory is inserted there, and then removed here. */
export const revise = async (change: Of<"revise_item">, now: Situation): Outcome => {
  const { parts, divided } = now;
  if (now.folded.has(change.id)) return fold(change, now);
  const [whole] = isPromotion(change) ? await parts.own.whole("memory", [change.id]) : [];
  if (!whole || whole.item.source === "file-index") return ofItem(change, now);
  const { item } = whole;
  const { expectedVersion, version = expectedVersion + 1, passages } = change;
  if (!isExpected(item, change)) return changed(change);
  const body = passages === null ? { passages: whole.passages, embed: whole.embed } : { passages, embed: change.embed };
  const moved = { ...item, ...change.set, version };
  divided.shared.push({ kind: "insert_item", shelf: "memory", item: moved, ...body });
  divided.last.push([{ ...revising("memory", item, change.set), version }, removing("memory", moved)]);
};

const changed = ({ kind, id }: Of<"revise_item">): Conflict => ({
  status: "conflict",
  kind,
  reason: `memory ${handleOf(id)} was changed`,
});

/** Closed once the server has what takes its place, which this store cannot look up. */
const fold = async ({ expectsSuccessor: _, ...closing }: Of<"revise_item">, { parts, divided }: Situation): Outcome => {
  const [item] = await parts.own.items("memory", [closing.id]);
  if (!item || !isExpected(item, closing)) return changed(closing);
  divided.last.push([closing]);
};

/** A memory on the server that was to replace some here, and is closed by now. */
export async function closedSuccessor(
  changes: readonly Change[],
  { parts, folded }: Situation,
): Promise<Conflict | null> {
  const inserted = new Set(changes.map((change) => (change.kind === "insert_item" ? change.item.id : "")));
  const expecting = changes.filter((change) => isFolding(change) && change.expectsSuccessor && folded.has(change.id));
  const successors = new Set(expecting.map((change) => folded.get((change as Of<"revise_item">).id)!));
  const asked = [...successors].filter((id) => !inserted.has(id));
  if (asked.length === 0) return null;
  const found = await parts.shared.items("memory", asked);
  const closed = asked.find((id) => found.find((one) => one.id === id)?.status !== "active");
  if (closed === undefined) return null;
  return { status: "conflict", kind: "revise_item", reason: `memory ${handleOf(closed)} is no longer active` };
}
