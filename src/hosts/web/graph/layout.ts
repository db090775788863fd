/** The worker that lays out the graph: it moves the nodes a little at a time and sends where they are. */
import Graph from "graphology";
import forceAtlas2 from "graphology-layout-forceatlas2";

interface Task {
  readonly positions: readonly (readonly [number, number])[];
  readonly lines: readonly (readonly [number, number])[];
  /** Only the result is of interest. */
  readonly isStill: boolean;
}

const STEPS = 240;
const STEPS_AT_ONCE = 4;
/** Drawing takes longer than moving, so the page is told less often than there are frames. */
const TOLD_EVERY_MS = 120;

/** A worker's global, of which this file needs only this. */
const own = self as unknown as {
  onmessage: ((event: MessageEvent<Task | "stop">) => void) | null;
  postMessage(message: object, transfer: Transferable[]): void;
};

let isStopped = false;
own.onmessage = ({ data }) => {
  if (data === "stop") isStopped = true;
  else void layOut(data);
};

async function layOut({ positions, lines, isStill }: Task): Promise<void> {
  const graph = new Graph({ multi: true });
  for (const [index, [x, y]] of positions.entries()) graph.addNode(index, { x, y });
  for (const [source, target] of lines) graph.addEdge(source, target);
  const settings = {
    ...forceAtlas2.inferSettings(graph),
    barnesHutOptimize: graph.order > 400,
    adjustSizes: false,
    gravity: 0.6,
  };
  let toldAt = 0;
  for (let step = 0; step < STEPS && !isStopped; step += STEPS_AT_ONCE) {
    forceAtlas2.assign(graph, { iterations: STEPS_AT_ONCE, settings });
    if (!isStill && performance.now() - toldAt >= TOLD_EVERY_MS) {
      toldAt = performance.now();
      tell(graph, false);
    }
    // Lets a message come in.
    await new Promise((resolve) => setTimeout(resolve));
  }
  tell(graph, true);
}

function tell(graph: Graph, isLast: boolean): void {
  const positions = new Float32Array(graph.order * 2);
  graph.forEachNode((id, { x, y }) => positions.set([x as number, y as number], Number(id) * 2));
  own.postMessage({ positions, isLast }, [positions.buffer]);
}
