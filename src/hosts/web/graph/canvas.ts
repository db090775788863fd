/**
 * The drawing of the graph, in a file of its own: it is loaded by the one view that needs it.
 *
 * WebGL draws it, and a worker moves the nodes, so that thousands of them stay fluid. Whoever asked for less motion sees
 * the result at once.
 */
import Graph from "graphology";
import Sigma from "sigma";
import { type DrawnGraph, type NodeKind, firstPosition } from "../rules/graph-model.ts";

export interface Colours {
  readonly ink: string;
  readonly line: string;
  readonly faded: string;
  readonly kinds: Readonly<Record<NodeKind, string>>;
}

export interface Canvas {
  /** Only these stand out; all of them if null. */
  emphasise(ids: ReadonlySet<string> | null): void;
  /** Moves the view to a node. */
  show(id: string): void;
  /** Of the layout, for whoever measures. */
  readonly isMoving: boolean;
  end(): void;
}

export interface CanvasOptions {
  readonly colours: Colours;
  readonly isStill: boolean;
  choose(id: string | null): void;
}

const SETTLED_AFTER_MS = 8_000;

export function drawGraph(place: HTMLElement, { nodes, lines }: DrawnGraph, options: CanvasOptions): Canvas {
  const { colours, isStill, choose } = options;
  const graph = new Graph({ multi: true });
  for (const [index, { id, kind, label, degree }] of nodes.entries())
    graph.addNode(id, {
      ...firstPosition(index),
      label,
      size: (kind === "decision" ? 5 : 3) + Math.min(9, Math.sqrt(degree) * 2.2),
      color: colours.kinds[kind],
    });
  for (const { source, target, strength } of lines)
    graph.addEdge(source, target, { size: 0.5 + strength * 1.5, color: colours.line });
  let emphasised: ReadonlySet<string> | null = null;
  const isFaded = (id: string) => emphasised !== null && !emphasised.has(id);
  const sigma = new Sigma(graph, place, {
    ...{
      allowInvalidContainer: true,
      labelColor: { color: colours.ink },
      labelFont: "system-ui, sans-serif",
      labelSize: 12,
    },
    ...{
      labelRenderedSizeThreshold: nodes.length > 300 ? 7 : 3,
      labelDensity: 0.5,
      labelGridCellSize: 150,
      hideEdgesOnMove: nodes.length > 2_000,
    },
    nodeReducer: (id, data) => (isFaded(id) ? { ...data, color: colours.faded, label: "" } : data),
    edgeReducer: (edge, data) =>
      emphasised !== null && graph.extremities(edge).some(isFaded) ? { ...data, hidden: true } : data,
  });
  sigma.on("clickNode", ({ node }) => choose(node));
  sigma.on("clickStage", () => choose(null));
  const layout = moveNodes(graph, isStill);
  return {
    emphasise(ids) {
      emphasised = ids;
      sigma.refresh({ skipIndexation: true });
    },
    show(id) {
      const position = sigma.getNodeDisplayData(id);
      if (position === undefined) return;
      void sigma.getCamera().animate({ x: position.x, y: position.y, ratio: 0.35 }, { duration: isStill ? 0 : 300 });
    },
    get isMoving() {
      return layout.isMoving();
    },
    end() {
      layout.stop();
      sigma.kill();
    },
  };
}

function moveNodes(graph: Graph, isStill: boolean): { isMoving(): boolean; stop(): void } {
  if (graph.order < 2) return { isMoving: () => false, stop: () => undefined };
  const worker = new Worker("/graph/layout.js", { type: "module" });
  const ids = graph.nodes();
  const places = new Map(ids.map((id, index) => [id, index]));
  const timer = setTimeout(() => worker.postMessage("stop"), SETTLED_AFTER_MS);
  let isMoving = true;
  worker.onmessage = ({ data }: MessageEvent<{ positions: Float32Array; isLast: boolean }>) => {
    graph.updateEachNodeAttributes(
      (id, attributes) => {
        const at = places.get(id)! * 2;
        return { ...attributes, x: data.positions[at], y: data.positions[at + 1] };
      },
      { attributes: ["x", "y"] },
    );
    isMoving = !data.isLast;
  };
  worker.postMessage({
    positions: ids.map((id) => [graph.getNodeAttribute(id, "x"), graph.getNodeAttribute(id, "y")]),
    lines: graph.mapEdges((_, __, source, target) => [places.get(source), places.get(target)]),
    isStill,
  });
  const stop = () => {
    clearTimeout(timer);
    worker.terminate();
    isMoving = false;
  };
  return { isMoving: () => isMoving, stop };
}
