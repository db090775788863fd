/** The worker that lays out the graph, so that the page goes on answering. It ends when the nodes rest, or when time is up. */
import { AT_REST, createLayout, type Loose } from "./settle.ts";

export interface Task extends Loose {
  /** Whether somebody watches the nodes move; otherwise only the end is told. */
  readonly isWatched: boolean;
  readonly stepsMost: number;
}

export interface Told {
  readonly places: Float32Array<ArrayBuffer>;
  readonly isLast: boolean;
}

const LONGEST_MS = 4_000;
const RESTING_STEPS = 3;
/** Drawing takes longer than moving, so the page is told less often than there are frames. */
const TOLD_EVERY_MS = 60;

/** A worker's global, of which this file needs only this. */
const own = self as unknown as {
  onmessage: ((event: MessageEvent<Task>) => void) | null;
  postMessage(told: Told, transfer: Transferable[]): void;
};

own.onmessage = ({ data: { isWatched, stepsMost, ...loose } }) => {
  const layout = createLayout(loose);
  const tell = (isLast: boolean) => {
    const places = layout.places() as Told["places"];
    own.postMessage({ places, isLast }, [places.buffer]);
  };
  const startedAt = performance.now();
  let [toldAt, resting] = [startedAt, 0];
  for (let step = 0; step < stepsMost && resting < RESTING_STEPS; step += 1) {
    resting = layout.step() < AT_REST ? resting + 1 : 0;
    const now = performance.now();
    if (now - startedAt > LONGEST_MS) break;
    if (isWatched && now - toldAt >= TOLD_EVERY_MS) {
      toldAt = now;
      tell(false);
    }
  }
  tell(true);
};
