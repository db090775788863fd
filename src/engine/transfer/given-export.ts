/** An export that was given as text instead of a file: read line by line through the same port, so that nothing else differs. */
import type { World } from "../../ports/world.ts";

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
