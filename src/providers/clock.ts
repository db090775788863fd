/** The system clock. */
import type { Clock } from "../ports/world.ts";

export const systemClock: Clock = { now: () => Date.now() };
