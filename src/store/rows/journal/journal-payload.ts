/**
 * What an entry of the journal keeps: the state before it, as text.
 *
 * It may have been edited by hand, so that nothing is taken on trust: what cannot be read is null.
 */
import type { StateChange } from "../../../logic/memory/item-state.ts";
import { withLaterFields } from "../../../logic/memory/new-item.ts";
import type { Edge } from "../../../model/memory/edge.ts";
import type { Item } from "../../../model/memory/item.ts";
import { STATUSES } from "../../../model/memory/item-fields.ts";
import type { Passage } from "../../../model/memory/shelves.ts";

interface Payload {
  before: Item | null;
  passages: Passage[] | null;
}

/** Of evidence that still exists only the hash was kept; anything else that is no item is rejected. */
export function readPayload(text: string | null): Payload | null {
  const { before, passages = null } = (parsed(text) ?? {}) as { before?: unknown; passages?: unknown };
  if (!isItem(before) || !(passages === null || isPassages(passages))) return null;
  return {
    before: withLaterFields(before),
    passages: passages?.map((passage) => ({ ...passage, tokens: null })) ?? null,
  };
}

export function readState(text: string | null): StateChange | null {
  const { state, rest } = (parsed(text) ?? {}) as Partial<StateChange>;
  if (typeof rest !== "string" || typeof state !== "object" || state === null) return null;
  const { status, version, updatedAt } = state;
  if (!STATUSES.includes(status) || typeof version !== "number" || typeof updatedAt !== "number") return null;
  return { state: { status, version, updatedAt }, rest };
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}

function isItem(value: unknown): value is Item {
  if (typeof value !== "object" || value === null) return false;
  const { id, content, summary, version, tags } = value as Partial<Item>;
  const texts = [id, content, summary].every((text) => typeof text === "string");
  return texts && typeof version === "number" && Array.isArray(tags);
}

function isPassages(value: unknown): value is Omit<Passage, "tokens">[] {
  return Array.isArray(value) && value.every((passage: Partial<Passage> | null) => typeof passage?.text === "string");
}

export function readEdge(text: string | null): Edge | null {
  const { before } = (parsed(text) ?? {}) as { before?: unknown };
  return isEdge(before) ? before : null;
}

function isEdge(value: unknown): value is Edge {
  if (typeof value !== "object" || value === null) return false;
  const { id, source, target, relation, strength } = value as Partial<Edge>;
  return [id, source, target, relation].every((text) => typeof text === "string") && typeof strength === "number";
}
