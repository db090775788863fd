/** Stops hooks from reporting in this project, and lets them report again. Nothing that was captured is touched. */
import type { World } from "../world.ts";

export async function pauseCapture({ spool, clock }: Pick<World, "spool" | "clock">): Promise<"paused" | "unchanged"> {
  if ((await spool.state()).isPaused) return "unchanged";
  await spool.pause(clock.now());
  return "paused";
}

export async function resumeCapture({
  spool,
  clock,
}: Pick<World, "spool" | "clock">): Promise<"resumed" | "unchanged"> {
  if (!(await spool.state()).isPaused) return "unchanged";
  await spool.resume(clock.now());
  return "resumed";
}
