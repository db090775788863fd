/** The processes a run has started, so that an interrupted run can end them all. */
import type { ChildProcess } from "node:child_process";

const running = new Set<ChildProcess>();

export function watched<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.once("exit", () => running.delete(child));
  return child;
}

export async function endAll(): Promise<void> {
  const ended = [...running].map((child) => new Promise((resolve) => child.once("exit", resolve)));
  for (const child of running) child.kill("SIGKILL");
  await Promise.all(ended);
}
