/**
 * Finds the files of a source.
 *
 * Links are never followed: whoever controls a folder or a repository would decide what is read. A file that was named
 * must be readable; one found in a folder is left out instead, and the answer says why.
 */
import { basename, dirname, join, relative, sep } from "node:path";
import { Failure } from "../../errors.ts";
import type { Place, World } from "../../world.ts";
import type { ForeignFile, ForeignReading, ForeignRecord, ForeignTool, LeftOut } from "./foreign-memory.ts";
import { textIn } from "./record.ts";

export type FilesWorld = Pick<World, "files" | "place" | "foreign">;

export interface ForeignSource extends ForeignReading {
  /** The files that were read. */
  files: string[];
}

const FOLDER_DEPTH = 8;
const FILES_MOST = 2_000;
const FILE_BYTES = 1_048_576;
const TOTAL_BYTES = 50_000_000;
const IS_MARKDOWN = /\.(?:md|mdc|markdown)$/i;
/** Hidden folders hold other programs' data, and packages are not the person's own. */
const IS_OTHERS = /^(?:\..*|node_modules)$/;

/** The file to read: the one named, or the tool's own in the folder named. */
export async function fileIn(path: string, names: readonly string[], { files }: FilesWorld): Promise<string> {
  const kind = await files.kindOf(path);
  if (kind === "file") return path;
  if (kind === "folder") {
    for (const name of names) if ((await files.kindOf(join(path, name))) === "file") return join(path, name);
    const expected = names.length > 0 ? `It has no ${names.join(" or ")}.` : "A file was expected.";
    throw new Failure("not_found", `${path} is a folder. ${expected}`, "Nothing was imported. Name the file itself.");
  }
  throw unreadable(path, kind);
}

/** The first default place that exists. */
export async function defaultPlace(tool: ForeignTool, { files, foreign }: FilesWorld): Promise<string> {
  const places = foreign.places[tool];
  for (const place of places) if ((await files.kindOf(place)) !== "absent") return place;
  const where =
    places.length > 0 ? `There is no ${places.join(" and no ")}.` : `${tool} has no usual place for its memories.`;
  throw new Failure("not_found", where, `Name the path: stele import --from ${tool} PATH.`);
}

export interface TextFiles {
  files: (ForeignFile & { path: string })[];
  leftOut: LeftOut[];
}

/** The files named, and the Markdown files in folders named. */
export async function textFiles(paths: readonly string[], world: FilesWorld): Promise<TextFiles> {
  const found: TextFiles = { files: [], leftOut: [] };
  const room = { bytes: TOTAL_BYTES };
  for (const path of paths) {
    const kind = await world.files.kindOf(path);
    if (kind === "folder") await walk(path, FOLDER_DEPTH, found, room, world);
    else if (kind === "link" && paths.length > 1) found.leftOut.push({ what: path, reason: "is a link" });
    else if (kind !== "file") throw unreadable(path, kind);
    else add(path, await textOf(path, world), found, room, world);
  }
  return found;
}

async function walk(
  folder: string,
  depth: number,
  found: TextFiles,
  room: { bytes: number },
  world: FilesWorld,
): Promise<void> {
  for (const name of await world.files.names(folder)) {
    const path = join(folder, name);
    const kind = await world.files.kindOf(path);
    if (kind === "folder" && !IS_OTHERS.test(name)) {
      if (depth > 1) await walk(path, depth - 1, found, room, world);
      else found.leftOut.push({ what: nameOf(path, world.place), reason: "is too deep in the folder" });
    }
    if (!IS_MARKDOWN.test(name)) continue;
    if (kind === "link") found.leftOut.push({ what: nameOf(path, world.place), reason: "is a link" });
    if (kind !== "file") continue;
    const text = await textOf(path, world).catch((thrown: unknown) => {
      // What is wrong with one file does not stop the others.
      if (!(thrown instanceof Failure)) throw thrown;
      found.leftOut.push({ what: nameOf(path, world.place), reason: thrown.message });
      return null;
    });
    if (text !== null) add(path, text, found, room, world);
  }
}

const textOf = (path: string, { files }: FilesWorld): Promise<string> => files.text(path, { fileBytes: FILE_BYTES });

function add(path: string, text: string, found: TextFiles, room: { bytes: number }, { place }: FilesWorld): void {
  if (found.files.some((file) => file.path === path)) return;
  room.bytes -= Buffer.byteLength(text);
  if (found.files.length >= FILES_MOST || room.bytes < 0) {
    throw new Failure(
      "invalid_input",
      `There are more than ${FILES_MOST.toLocaleString("en")} files or ${TOTAL_BYTES / 1_000_000} MB to read.`,
      "Nothing was imported. Name some of the files or folders at a time.",
    );
  }
  found.files.push({ path, name: nameOf(path, place), text });
}

/** From the root of the project, as its memories name files; elsewhere the full path. */
export function nameOf(path: string, { checkout }: Pick<Place, "checkout">): string {
  return isInside(path, checkout) ? relative(checkout, path).replaceAll(sep, "/") : path;
}

export const isInside = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** Whether no folder between the project and the file is a link. */
export async function isWithoutLinks(path: string, { files, place }: FilesWorld): Promise<boolean> {
  for (let at = path; isInside(at, place.checkout); at = dirname(at)) {
    if ((await files.kindOf(at)) === "link") return false;
  }
  return true;
}

function unreadable(path: string, kind: string): Failure {
  if (kind === "absent")
    return new Failure("not_found", `${path} does not exist.`, "Nothing was imported. Check the path.");
  const what = kind === "link" ? "is a link" : "is neither a file nor a folder";
  return new Failure(
    "invalid_input",
    `${path} ${what}.`,
    `Nothing was imported. Name the file that ${basename(path)} leads to.`,
  );
}

/**
 * Which project of another tool is meant.
 *
 * Tools that keep all projects in one place name them by their folders. Memories of another project would be wrong here,
 * so they are left out unless the caller asks for them.
 */
const ALL_PROJECTS = "*";

export interface ProjectChoice {
  /** The one that the caller named; `*` for all. */
  named: string | null;
  /** The folder of this project. */
  folder: string;
}

/** What names no project belongs to all of them. */
export function ofProject<Row extends ForeignRecord>(
  rows: readonly Row[],
  { named, folder }: ProjectChoice,
): { chosen: Row[]; leftOut: LeftOut[] } {
  const isMeant = (project: string) =>
    named === null ? projectNameOf(project) === projectNameOf(folder) : named === ALL_PROJECTS || project === named;
  const chosen: Row[] = [];
  const leftOut: LeftOut[] = [];
  for (const row of rows) {
    const project = textIn(row, "project");
    if (project === null || isMeant(project)) chosen.push(row);
    else leftOut.push({ what: `project ${project}`, reason: `not this one; --source-project ${project} takes it` });
  }
  return { chosen, leftOut };
}

/** Some tools keep the whole path, or the folder above it. */
const projectNameOf = (project: string): string =>
  project
    .split(/[\\/]/)
    .filter((part) => part !== "")
    .at(-1)
    ?.toLowerCase() ?? "";
