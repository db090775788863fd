/**
 * Where an agent may write an export without asking: into its project, under a plain name.
 *
 * A file that programs read by themselves (`~/.bashrc`, `.git/hooks`) would let stored text decide what they do.
 */
import { join, relative, sep } from "node:path";
import type { World } from "../../ports/world.ts";

export async function mayAgentWrite(path: string, world: Pick<World, "files" | "place">): Promise<boolean> {
  const { checkout } = world.place;
  const steps = relative(checkout, world.files.resolve(path)).split(sep);
  // On another drive the path stays absolute; outside it begins with two dots; hidden names begin with one.
  if (steps.some((step) => step === "" || step.startsWith(".") || step.includes(":"))) return false;
  for (let length = 1; length <= steps.length; length++)
    if ((await world.files.kindOf(join(checkout, ...steps.slice(0, length)))) === "link") return false;
  return true;
}
