/** Moves the nodes of a graph until they rest. It knows neither the browser nor the drawing, so a worker can run it. */
// @ts-expect-error: the package has this, but does not describe it.
import untyped from "graphology-layout-forceatlas2/iterate.js";

/** One step: ten numbers for each node, of which the first two are its place, and three for each line. */
const iterate = untyped as (settings: object, nodes: Float32Array, lines: Float32Array) => unknown;

export interface Loose {
  /** Two numbers for each node. */
  readonly places: Float32Array;
  /** Two nodes for each line, by their position. */
  readonly lines: Uint32Array;
}

export interface Layout {
  /** Returns how far a node moved on average, as a share of the width of it all. */
  step(): number;
  places(): Float32Array;
}

/** A step that moves the nodes less than this is not seen. */
export const AT_REST = 0.0015;

const [OF_NODE, OF_LINE] = [10, 3];
const [MASS, SIZE] = [6, 8];
const WEIGHT = 2;
/** Beyond this, nodes far away are taken together. */
const EXACT_MOST = 400;

export function createLayout({ places, lines }: Loose): Layout {
  const order = places.length / 2;
  const nodes = new Float32Array(order * OF_NODE);
  for (let node = 0; node < order; node += 1) {
    nodes.set(places.subarray(node * 2, node * 2 + 2), node * OF_NODE);
    nodes.fill(1, node * OF_NODE + MASS, node * OF_NODE + SIZE + 1);
  }
  const edges = new Float32Array((lines.length / 2) * OF_LINE);
  for (let line = 0; line < lines.length / 2; line += 1) {
    const ends = lines.subarray(line * 2, line * 2 + 2);
    for (const [side, end] of ends.entries()) {
      edges[line * OF_LINE + side] = end * OF_NODE;
      nodes[end * OF_NODE + MASS]! += 1;
    }
    edges[line * OF_LINE + WEIGHT] = 1;
  }
  const settings = {
    linLogMode: false,
    outboundAttractionDistribution: false,
    adjustSizes: false,
    edgeWeightInfluence: 1,
    scalingRatio: 10,
    strongGravityMode: true,
    gravity: 0.6,
    slowDown: 1 + Math.log(order),
    barnesHutOptimize: order > EXACT_MOST,
    barnesHutTheta: 0.8,
  };
  const placesNow = () => {
    const now = new Float32Array(order * 2);
    for (let node = 0; node < order; node += 1) now.set(nodes.subarray(node * OF_NODE, node * OF_NODE + 2), node * 2);
    return now;
  };
  let known = placesNow();
  return {
    step() {
      iterate(settings, nodes, edges);
      const now = placesNow();
      const moved = meanDistance(known, now) / width(now);
      known = now;
      return moved;
    },
    places: placesNow,
  };
}

function meanDistance(before: Float32Array, after: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < after.length; at += 2)
    sum += Math.hypot(after[at]! - before[at]!, after[at + 1]! - before[at + 1]!);
  return sum / (after.length / 2);
}

function width(places: Float32Array): number {
  let [least, most] = [Infinity, -Infinity];
  for (const place of places) [least, most] = [Math.min(least, place), Math.max(most, place)];
  return Math.max(1, most - least);
}
