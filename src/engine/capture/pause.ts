/** Stops hooks from reporting in this project, and lets them report again. Nothing that was captured is touched. */
import type { World } from "../../ports/world.ts";

export async function pauseCapture({ spool }: Pick<World, "spool">): Promise<"paused" | "unchanged"> {
  if ((await spool.state()).isPaused) return "unchanged";
  await spool.pause();
  return "paused";
}

export async function resumeCapture({ spool }: Pick<World, "spool">): Promise<"resumed" | "unchanged"> {
  if (!(await spool.state()).isPaused) return "unchanged";
  await spool.resume();
  return "resumed";
}
