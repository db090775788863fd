/**
 * Writes the surface into the checkout, for agents that read a file instead of calling anything.
 *
 * Only when somebody asks for it. The file is private to this clone: it is on git's own list of ignored files before it is
 * written. A repository cannot lead the writing elsewhere, because no link is followed; the lease of a process that died
 * expires by itself.
 */
import { dirname, join } from "node:path";
import { Failure } from "../errors.ts";
import { holdLease } from "../maintenance/lease.ts";
import { handleOf } from "../memory/handles.ts";
import type { World } from "../world.ts";

/** From the root of the checkout. */
export const SURFACE_FILE = ".claude/stele-memory.local.md";

const pathIn = ({ place }: Pick<World, "place">): string => join(place.checkout, ...SURFACE_FILE.split("/"));

const LEASE = "surface file";
const PATIENCE_MS = 5_000;
const IGNORE_BYTES = 1_000_000;
/** A surface takes a hundredth of this. */
const SURFACE_BYTES = 1_000_000;

type WriteWorld = Pick<World, "project" | "place" | "files" | "clock" | "ids" | "progress" | "origin" | "log">;

/** Returns its path. */
export async function writeSurface(text: string, world: WriteWorld): Promise<string> {
  const path = pathIn(world);
  const written = await holdLease(LEASE, { patienceMs: PATIENCE_MS }, { ...world, store: world.project }, async () => {
    await refuseLink(dirname(path), "folder", world);
    await refuseLink(path, "file", world);
    await ignore(world);
    const draft = await world.files.draft(path, linesOf(text));
    try {
      await draft.keep();
    } finally {
      await draft.drop();
    }
    return path;
  });
  if (written !== null) return written;
  throw new Failure("unavailable", `Another process is writing ${SURFACE_FILE}.`, "Try again shortly.");
}

/** Removes a surface that shows one of these items; returns its path if that fails. */
export const eraseWrittenSurface = (ids: readonly string[], world: Pick<World, "place" | "files">): Promise<string[]> =>
  eraseSurfaceIf((text) => ids.some((id) => text.includes(handleOf(id))), world);

/** Removes the surface if its text is meant; returns its path if that fails. */
export async function eraseSurfaceIf(
  isMeant: (text: string) => boolean,
  world: Pick<World, "place" | "files">,
): Promise<string[]> {
  const { files } = world;
  const path = pathIn(world);
  if ((await files.kindOf(dirname(path))) !== "folder" || (await files.kindOf(path)) !== "file") return [];
  try {
    const text = await files.text(path, { fileBytes: SURFACE_BYTES });
    if (isMeant(text)) await files.remove(path);
    return [];
  } catch {
    return [path];
  }
}

async function refuseLink(path: string, wanted: "file" | "folder", { files }: Pick<World, "files">): Promise<void> {
  const kind = await files.kindOf(path);
  if (kind === wanted || kind === "absent") return;
  throw new Failure("conflict", `${path} is not a ${wanted} that Stele may write to.`, "Check it, then try again.");
}

async function* linesOf(text: string): AsyncGenerator<string> {
  if (text !== "") yield text;
}

/** Lines that ignore it, as people write them. */
const IGNORING: ReadonlySet<string> = new Set(
  [".claude", ".claude/", ".claude/*", ".claude/**", ".claude/*.local.md", SURFACE_FILE]
    .flatMap((line) => [line, `/${line}`])
    .concat("*.local.md", "**/*.local.md"),
);

async function ignore({ place, files }: Pick<World, "place" | "files">): Promise<void> {
  if (place.excludeFile === null) return;
  for (const list of [place.excludeFile, join(place.checkout, ".gitignore")]) {
    if ((await files.kindOf(list)) !== "file") continue;
    const lines = (await files.text(list, { fileBytes: IGNORE_BYTES })).split("\n").map((line) => line.trim());
    if (lines.some((line) => IGNORING.has(line))) return;
  }
  await refuseLink(dirname(place.excludeFile), "folder", { files });
  await files.append(place.excludeFile, `/${SURFACE_FILE}`);
}
