/** An export that was given as text instead of a file: read line by line through the same port, so that nothing else differs. */
import { join, relative, sep } from "node:path";
import type { World } from "../world.ts";

const NAME = "The text";

/** A path for it, and a world in which that path is the text. */
export function givenExport<W extends Pick<World, "files">>(text: string, world: W): { path: string; world: W } {
  const files: World["files"] = {
    ...world.files,
    resolve: () => NAME,
    kindOf: async () => "file",
    async *lines() {
      const lines = text.split(/\r?\n/);
      // What follows the last line break is no line.
      yield* lines.at(-1) === "" ? lines.slice(0, -1) : lines;
    },
  };
  return { path: NAME, world: { ...world, files } };
}

/**
 * Where an agent may write an export without asking: into its project, under a plain name.
 *
 * A file that programs read by themselves (`~/.bashrc`, `.git/hooks`) would let stored text decide what they do.
 */
export async function mayAgentWrite(path: string, world: Pick<World, "files" | "place">): Promise<boolean> {
  const { checkout } = world.place;
  const steps = relative(checkout, world.files.resolve(path)).split(sep);
  // On another drive the path stays absolute; outside it begins with two dots; hidden names begin with one.
  if (steps.some((step) => step === "" || step.startsWith(".") || step.includes(":"))) return false;
  for (let length = 1; length <= steps.length; length++)
    if ((await world.files.kindOf(join(checkout, ...steps.slice(0, length)))) === "link") return false;
  return true;
}

/** Worlds in which encrypted exports are opened on their way, so that reading them knows nothing of it. */
type Sealable = Pick<World, "files" | "sealing">;

/** Encrypted files can be read here like others. */
export function openingFiles<W extends Sealable>(
  { keyFile, passphraseFile }: { keyFile?: string | undefined; passphraseFile?: string | undefined },
  world: W,
): W {
  const { files, sealing } = world;
  const named = (path: string | undefined) => (path === undefined ? null : files.resolve(path));
  const keys = { keyFile: named(keyFile), passphraseFile: named(passphraseFile) };
  const lines: World["files"]["lines"] = (path, limits) =>
    files.lines(path, { ...limits, through: sealing.open({ path, ...keys }) });
  return { ...world, files: { ...files, lines } };
}
