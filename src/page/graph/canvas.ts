/**
 * The drawing of the graph, in a file of its own: it is loaded by the one view that needs it.
 *
 * WebGL draws it, and a worker finds the places. A small graph is drawn while its nodes move; a large one once they rest,
 * because drawing thousands of lines again and again would leave the page no time for anything else. What is drawn
 * already keeps its place when something is added.
 */
import Graph from "graphology";
import Sigma from "sigma";
import { EdgeLineProgram } from "sigma/rendering";
import type { Settings } from "sigma/settings";
import { type DrawnGraph, type NodeKind, type Spot, startingSpots } from "../rules/graph-model.ts";
import type { Task, Told } from "./layout.ts";

export interface Colours {
  readonly ink: string;
  readonly line: string;
  readonly faded: string;
  /** Behind everything. */
  readonly ground: string;
  readonly kinds: Readonly<Record<NodeKind, string>>;
}

export interface Canvas {
  /** Draws this graph from now on. */
  become(drawn: DrawnGraph): void;
  /** Only these stand out; all of them if null. */
  emphasise(ids: ReadonlySet<string> | null): void;
  /** Moves the view to a node, once it is drawn. */
  show(id: string): void;
  recolour(colours: Colours): void;
  end(): void;
}

export interface CanvasOptions {
  readonly colours: Colours;
  /** Whoever asked for less motion sees only where everything comes to rest. */
  readonly isStill: boolean;
  choose(id: string | null): void;
  /** Whether the places of the nodes are still being looked for. */
  settling(isSettling: boolean): void;
}

/** Up to this many nodes are drawn while they move. */
const WATCHED_MOST = 300;
/** Up to this many nodes are drawn as large as they are meant to be. */
const ROOMY_MOST = 400;
const STEPS = { first: 400, again: 60 };
/** Beyond this many, lines are plain ones, and neither they nor labels are drawn while the view moves. */
const LINES_MANY = 1_000;

export function openCanvas(element: HTMLElement, options: CanvasOptions): Canvas {
  const picture = createPicture(element, options);
  let stopLayout = () => {};
  return {
    ...picture,
    become(drawn) {
      stopLayout();
      const known = spotsIn(picture.graph());
      const { spots, newOnes } = startingSpots(drawn, known);
      const next = graphOf(drawn, spots);
      const isLoose = newOnes > 0 && next.order > 1;
      const isWatched = !options.isStill && next.order <= WATCHED_MOST;
      options.settling(isLoose);
      if (isWatched || !isLoose) picture.draw(next);
      if (!isLoose) return;
      const stepsMost = known.size === 0 ? STEPS.first : STEPS.again;
      stopLayout = layOut(next, { isWatched, stepsMost }, (isLast) => {
        if (!isLast) return;
        options.settling(false);
        if (!isWatched) picture.draw(next);
      });
    },
    end() {
      stopLayout();
      picture.end();
    },
  };
}

interface Picture extends Omit<Canvas, "become"> {
  /** What is drawn. */
  graph(): Graph;
  draw(graph: Graph): void;
}

/** A graph whose nodes have their places, as it is seen. */
function createPicture(element: HTMLElement, { isStill, choose, ...first }: CanvasOptions): Picture {
  let { colours } = first;
  let graph = new Graph({ multi: true });
  let sigma: Sigma | null = null;
  let emphasised: ReadonlySet<string> | null = null;
  let awaited: string | null = null;
  const written: Box[] = [];
  const isFaded = (id: string) => emphasised !== null && !emphasised.has(id);
  const settings: Partial<Settings> = {
    allowInvalidContainer: true,
    labelFont: "system-ui, sans-serif",
    labelSize: 12,
    labelDensity: 1,
    labelGridCellSize: 120,
    edgeProgramClasses: { plain: EdgeLineProgram },
    defaultDrawNodeLabel: (context, node, { labelSize }) => drawLabel(context, node, { labelSize, colours, written }),
    nodeReducer: (id, { kind, label, ...node }) =>
      isFaded(id) ? { ...node, color: colours.faded } : { ...node, label, color: colours.kinds[kind as NodeKind] },
    edgeReducer: (edge, line) =>
      emphasised !== null && graph.extremities(edge).some(isFaded)
        ? { ...line, hidden: true }
        : { ...line, color: colours.line },
  };
  const show = (id: string) => {
    const spot = sigma?.getNodeDisplayData(id);
    awaited = spot === undefined ? id : null;
    const to = spot && { x: spot.x, y: spot.y, ratio: 0.35 };
    if (to) void sigma?.getCamera().animate(to, { duration: isStill ? 0 : 300 });
  };
  return {
    show,
    graph: () => graph,
    draw(next) {
      graph = next;
      if (sigma === null) {
        sigma = new Sigma(next, element, { ...settings, ...easeFor(next) });
        sigma.on("beforeRender", () => void (written.length = 0));
        sigma.on("clickNode", ({ node }) => choose(node));
        sigma.on("clickStage", () => choose(null));
      } else {
        sigma.setGraph(next);
        sigma.setSettings(easeFor(next));
      }
      if (awaited !== null) show(awaited);
    },
    emphasise(ids) {
      emphasised = ids;
      sigma?.refresh({ skipIndexation: true });
    },
    recolour(next) {
      colours = next;
      sigma?.refresh({ skipIndexation: true });
    },
    end: () => sigma?.kill(),
  };
}

/** What makes a large graph easy to draw and to read. */
function easeFor({ order, size }: Graph): Partial<Settings> {
  const isLarge = size > LINES_MANY;
  return {
    hideEdgesOnMove: isLarge,
    hideLabelsOnMove: isLarge,
    defaultEdgeType: isLarge ? "plain" : "line",
    labelRenderedSizeThreshold: order > LINES_MANY ? 4 : order > WATCHED_MOST ? 7 : 3,
  };
}

function graphOf({ nodes, lines }: DrawnGraph, spots: readonly Spot[]): Graph {
  const graph = new Graph({ multi: true });
  // As many as there are, there must be room between them.
  const scale = Math.min(1, Math.max(0.3, Math.sqrt(ROOMY_MOST / nodes.length)));
  for (const [index, { id, kind, label, degree }] of nodes.entries())
    graph.addNode(id, {
      ...spots[index],
      label,
      kind,
      size: ((kind === "decision" ? 5 : 3) + Math.min(9, Math.sqrt(degree) * 2.2)) * scale,
    });
  for (const { source, target, strength } of lines) graph.addEdge(source, target, { size: 0.5 + strength * 1.5 });
  return graph;
}

type Box = readonly [left: number, top: number, right: number, bottom: number];
const isOver = ([left, top, right, bottom]: Box, other: Box): boolean =>
  left < other[2] && right > other[0] && top < other[3] && bottom > other[1];

interface Lettering {
  readonly labelSize: number;
  readonly colours: Colours;
  /** Where there are labels already in this picture. */
  readonly written: Box[];
}

/** With a rim of the ground's colour, so that it can be read across lines; left out where it would cover another one. */
function drawLabel(
  context: CanvasRenderingContext2D,
  { x, y, size, label }: { x: number; y: number; size: number; label?: string | null },
  { labelSize, colours, written }: Lettering,
): void {
  if (label === undefined || label === null || label === "") return;
  context.font = `${labelSize}px system-ui, sans-serif`;
  const at = [x + size + 3, y + labelSize / 3] as const;
  const box: Box = [at[0], y - labelSize, at[0] + context.measureText(label).width, y + labelSize];
  if (written.some((other) => isOver(box, other))) return;
  written.push(box);
  const { ground: strokeStyle, ink: fillStyle } = colours;
  Object.assign(context, { lineWidth: 3, lineJoin: "round", strokeStyle, fillStyle, globalAlpha: 0.8 });
  context.strokeText(label, ...at);
  context.globalAlpha = 1;
  context.fillText(label, ...at);
}

const spotsIn = (graph: Graph): Map<string, Spot> =>
  new Map(graph.mapNodes((id, { x, y }) => [id, { x: x as number, y: y as number }]));

/** Looks for the places in a worker, and puts the nodes there whenever it tells of some. */
function layOut(
  graph: Graph,
  how: Pick<Task, "isWatched" | "stepsMost">,
  placed: (isLast: boolean) => void,
): () => void {
  const worker = new Worker("/graph/layout.js", { type: "module" });
  const ids = graph.nodes();
  const numbers = new Map(ids.map((id, number) => [id, number]));
  worker.onmessage = ({ data: { places, isLast } }: MessageEvent<Told>) => {
    graph.updateEachNodeAttributes(
      (id, node) => {
        const at = numbers.get(id)! * 2;
        return Object.assign(node, { x: places[at], y: places[at + 1] });
      },
      { attributes: ["x", "y"] },
    );
    if (isLast) worker.terminate();
    placed(isLast);
  };
  const places = new Float32Array(ids.flatMap((id) => [place(graph, id, "x"), place(graph, id, "y")]));
  const ends = graph.mapEdges((_, __, source, target) => [numbers.get(source)!, numbers.get(target)!]);
  const task: Task = { places, lines: new Uint32Array(ends.flat()), ...how };
  worker.postMessage(task);
  return () => worker.terminate();
}

const place = (graph: Graph, id: string, axis: "x" | "y"): number => graph.getNodeAttribute(id, axis) as number;
