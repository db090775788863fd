/** Worlds in which exports are encrypted or opened on their way, so that reading and writing them knows nothing of it. */
import type { SealTo } from "../../ports/sealing.ts";
import type { World } from "../../ports/world.ts";

type Sealable = Pick<World, "files" | "sealing">;

/** Every file that is written here is encrypted. */
export function sealingFiles<W extends Sealable>(to: SealTo, world: W): W {
  const { files, sealing } = world;
  return { ...world, files: { ...files, draft: (path, lines) => files.draft(path, lines, sealing.seal(to)) } };
}

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
