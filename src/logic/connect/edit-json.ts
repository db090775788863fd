/**
 * Adds, replaces and removes one entry in a JSON text, and touches nothing else.
 *
 * An entry goes behind the last one. Removing it restores the text byte for byte; what the text alone cannot tell (how an
 * empty list was written, which lists did not exist) is in the traces that adding leaves.
 */
import type { Json } from "../../model/connect/json.ts";
import { type JsonNode, isFault, memberOf, nodeAt, readJson } from "./json-text.ts";
import { afterComments, endsLineComment, indentAt, layoutOf, leadOf, writeJson } from "./json-layout.ts";

/** What removing must know: a list that did not exist, or how it was written while it was empty. */
export interface Trace {
  path: string[];
  empty: string | null;
}

export interface Edited {
  text: string;
  traces: Trace[];
}

/** Adds a member (`key`) or an element (null) to the list at this path; lists that do not exist are made. */
export function addJson(text: string, path: readonly string[], key: string | null, value: Json): Edited {
  const root = rootOf(text);
  let [list, depth] = [root, 0];
  for (let next; depth < path.length && (next = memberOf(list, path[depth]!)); depth += 1) list = next.node;
  const rest = [...path.slice(depth), ...(key === null ? [] : [key])];
  const traces: Trace[] = path
    .slice(depth)
    .map((_, index) => ({ path: path.slice(0, depth + index + 1), empty: null }));
  if (list.items.length === 0) {
    traces.unshift({ path: path.slice(0, depth), empty: text.slice(list.start + 1, list.end - 1) });
  }
  const [first = null, ...inner] = rest;
  const isElement = first === null;
  const nested = nest(inner, key === null && depth < path.length ? [value] : value);
  return {
    text: append(text, list, isElement ? null : first, { root, value: nested, broken: path.length - depth }),
    traces,
  };
}

const nest = (keys: readonly string[], value: Json): Json =>
  keys.reduceRight<Json>((inner, key) => ({ [key]: inner }), value);

interface Entry {
  root: JsonNode;
  value: Json;
  /** Levels of lists that are made for it. */
  broken: number;
}

function append(text: string, list: JsonNode, key: string | null, { root, value, broken }: Entry): string {
  const layout = layoutOf(text, root);
  const written = (indent: string) => {
    const name = key === null ? "" : `${JSON.stringify(key)}:${layout.isCompact ? "" : " "}`;
    return name + writeJson(value, layout, indent, broken);
  };
  const outer = indentAt(text, list.start);
  const ownLine = layout.lineEnd + outer + layout.unit;
  const last = list.items.at(-1);
  if (last === undefined) {
    const at = afterComments(text, list.start + 1);
    const close = list.end - 1;
    if (layout.isCompact) return splice(text, at, close, written(""));
    const entry = ownLine + written(outer + layout.unit);
    if (text.slice(at, close).includes("\n")) return splice(text, at, at, entry);
    return splice(text, at, close, entry + layout.lineEnd + outer);
  }
  const end = last.comma === null ? last.node.end : last.comma + 1;
  const at = afterComments(text, end);
  const seen = leadOf(text, last.start);
  const lead = !seen.includes("\n") && endsLineComment(text, end, at) ? ownLine : seen;
  const isOnLine = lead.includes("\n");
  const indent = isOnLine ? lead.slice(lead.lastIndexOf("\n") + 1) : outer;
  const entry = lead + written(indent);
  if (last.comma !== null) return splice(text, at, at, `${entry},`);
  return splice(splice(text, at, at, entry), end, end, ",");
}

/** Replaces a value by another. */
export function replaceJson(text: string, path: readonly (string | number)[], value: Json): string {
  const root = rootOf(text);
  const node = nodeAt(root, path);
  if (node === null) return text;
  return splice(text, node.start, node.end, writeJson(value, layoutOf(text, root), indentAt(text, node.start)));
}

/** Removes an entry, and the lists around it that were made for it and are empty now. */
export function removeJson(text: string, path: readonly (string | number)[], traces: readonly Trace[]): string {
  const parent = path.slice(0, -1);
  const list = nodeAt(rootOf(text), parent);
  const last = path.at(-1);
  const index = list === null ? -1 : list.items.findLastIndex((item, at) => (item.key ?? at) === last);
  if (list === null || index === -1) return text;
  const removed = cut(text, list, index);
  const now = nodeAt(rootOf(removed), parent)!;
  if (now.items.length > 0) return removed;
  const inside = removed.slice(now.start + 1, now.end - 1);
  const trace = traces.find(
    (one) => one.path.length === parent.length && one.path.every((key, at) => key === parent[at]),
  );
  if (trace?.empty === null && inside.trim() === "" && parent.length > 0) return removeJson(removed, parent, traces);
  const empty = trace?.empty ?? "";
  return bare(inside) === bare(empty) ? splice(removed, now.start + 1, now.end - 1, empty) : removed;
}

function cut(text: string, list: JsonNode, index: number): string {
  const { start, node, comma } = list.items[index]!;
  const before = list.items[index - 1];
  const from = before === undefined ? list.start + 1 : (before.comma ?? before.node.end) + 1;
  const kept = afterComments(text, from);
  let at = start;
  while (at > kept && /\s/.test(text[at - 1]!)) at -= 1;
  const end = comma === null ? node.end : comma + 1;
  const restOfLine = /^[^\r\n]*/.exec(text.slice(end, end + 10_000))![0];
  // Behind a line comment, what follows on our line would become part of it.
  if (endsLineComment(text, from, at) && restOfLine.trim() !== "") at = start;
  const removed = splice(text, at, end, "");
  return comma === null && before !== undefined ? splice(removed, before.comma!, before.comma! + 1, "") : removed;
}

const bare = (text: string) => text.replace(/\s+/g, "");

const splice = (text: string, from: number, to: number, added: string) => text.slice(0, from) + added + text.slice(to);

/** The caller has read the text before. */
function rootOf(text: string): JsonNode {
  const root = readJson(text);
  if (isFault(root)) throw new Error(root.fault);
  return root;
}
