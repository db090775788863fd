/** Worlds in which encrypted exports are opened on their way, so that reading them knows nothing of it. */
import type { World } from "../../ports/world.ts";

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
