/** Waits for what must come about: on a busy machine that takes long, and what never comes fails by name. */
import { setTimeout as pause } from "node:timers/promises";

const LOOK_AGAIN_MS = 2;
const LIMIT_MS = 120_000;

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const begun = performance.now(); !(await holds()); await pause(LOOK_AGAIN_MS)) {
    if (performance.now() - begun > LIMIT_MS) throw new Error(`It never came to this: ${holds}`);
  }
}
