/** The graph that is drawn: memories, decisions and files as nodes, relations and "names this file" as lines. */
import type { Answer } from "../client/api.ts";
import { seenText } from "./matched-text.ts";

export type Relations = Answer<"relations">;
export type NodeKind = "memory" | "decision" | "file";

export interface GraphNode {
  readonly id: string;
  readonly kind: NodeKind;
  readonly label: string;
  readonly type: string;
  /** How many lines meet in it. */
  readonly degree: number;
}

export interface GraphLine {
  readonly source: string;
  readonly target: string;
  readonly relation: string;
  readonly strength: number;
}

export interface DrawnGraph {
  readonly nodes: readonly GraphNode[];
  readonly lines: readonly GraphLine[];
}

export const fileId = (path: string): string => `file:${path}`;
const LABEL_MOST = 34;

export function drawnGraph({ items, relations, files }: Relations, kinds: ReadonlySet<NodeKind>): DrawnGraph {
  const ids = new Set(items.filter(({ shelf }) => kinds.has(shelf)).map(({ id }) => id));
  const between = relations.filter(({ source, target }) => ids.has(source) && ids.has(target));
  const shownFiles = kinds.has("file") ? files.filter((file) => file.items.some((id) => ids.has(id))) : [];
  const naming = shownFiles.flatMap(({ path, items: own }) =>
    own
      .filter((id) => ids.has(id))
      .map((id) => ({ source: id, target: fileId(path), relation: "names", strength: 0.4 })),
  );
  const lines = [...between, ...naming].map(({ source, target, relation, strength }) => ({
    source,
    target,
    relation,
    strength,
  }));
  const degrees = new Map<string, number>();
  for (const { source, target } of lines)
    for (const id of [source, target]) degrees.set(id, (degrees.get(id) ?? 0) + 1);
  const degreeOf = (id: string) => degrees.get(id) ?? 0;
  return {
    nodes: [
      ...items
        .filter(({ id }) => ids.has(id))
        .map(({ id, shelf, type, title, summary }) => ({
          id,
          kind: shelf,
          type,
          label: short(title ?? summary),
          degree: degreeOf(id),
        })),
      ...shownFiles.map(({ path }) => ({
        id: fileId(path),
        kind: "file" as const,
        type: "file",
        label: short(path),
        degree: degreeOf(fileId(path)),
      })),
    ],
    lines,
  };
}

const short = (text: string): string => {
  const line = seenText(text.replace(/\s+/g, " ").trim());
  return line.length > LABEL_MOST ? `${line.slice(0, LABEL_MOST - 1).toWellFormed()}…` : line;
};

/** A node and everything one step from it. */
export function neighbourhood(id: string, lines: readonly GraphLine[]): Set<string> {
  const near = new Set([id]);
  for (const { source, target } of lines) {
    if (source === id) near.add(target);
    if (target === id) near.add(source);
  }
  return near;
}

/** Nodes whose label has all of these words, wherever they stand. */
export function matching(query: string, nodes: readonly GraphNode[]): Set<string> | null {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return null;
  const has = (label: string) => words.every((word) => label.includes(word));
  return new Set(nodes.filter(({ label }) => has(label.toLowerCase())).map(({ id }) => id));
}

/** Where a node is. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** Where each node is before the layout begins: where it was, else among those it is related to, else on the spiral. */
export function startingSpots(
  { nodes, lines }: DrawnGraph,
  known: ReadonlyMap<string, Spot>,
): { spots: Spot[]; newOnes: number } {
  const near = new Map<string, Spot[]>();
  for (const { source, target } of lines)
    for (const [one, other] of [
      [source, target],
      [target, source],
    ] as const) {
      const spot = known.get(other);
      if (spot !== undefined && !known.has(one)) near.set(one, [...(near.get(one) ?? []), spot]);
    }
  const spots = nodes.map(({ id }, index) => known.get(id) ?? besides(near.get(id) ?? [], index));
  return { spots, newOnes: nodes.filter(({ id }) => !known.has(id)).length };
}

/** A little beside the middle, because nodes in the same spot cannot be pushed apart. */
function besides(near: readonly Spot[], index: number): Spot {
  if (near.length === 0) return firstPosition(index);
  const middle = (axis: "x" | "y") => near.reduce((sum, spot) => sum + spot[axis], 0) / near.length;
  const { x, y } = firstPosition(index % 50);
  return { x: middle("x") + x / 20, y: middle("y") + y / 20 };
}

/** Whether both look alike, so that nothing has to be drawn again. */
export function isSameGraph(one: DrawnGraph, two: DrawnGraph): boolean {
  const isSame = <T extends object>(a: readonly T[], b: readonly T[]) =>
    a.length === b.length &&
    a.every((value, index) => Object.entries(value).every(([name, part]) => b[index]?.[name as keyof T] === part));
  return isSame(one.nodes, two.nodes) && isSame(one.lines, two.lines);
}

/** On a spiral by age, so that the layout begins the same way every time. */
export function firstPosition(index: number): Spot {
  const [angle, radius] = [index * 2.399963, Math.sqrt(index + 1) * 10];
  return { x: Math.cos(angle) * radius, y: Math.sin(angle) * radius };
}
