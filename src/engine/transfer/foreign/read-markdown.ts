/**
 * Reads Markdown files that instruct agents, and the files that a CLAUDE.md includes.
 *
 * What it includes is read only inside the project: a cloned repository must not decide which of a person's files are
 * remembered.
 */
import { basename, dirname, join, resolve } from "node:path";
import { Failure } from "../../../errors.ts";
import { importsIn } from "../../../logic/transfer/foreign/at-imports.ts";
import { readInstructions } from "../../../logic/transfer/foreign/markdown.ts";
import type { LeftOut } from "../../../model/transfer/foreign-memory.ts";
import {
  type FilesWorld,
  type ForeignSource,
  type TextFiles,
  isInside,
  isWithoutLinks,
  nameOf,
  textFiles,
} from "./foreign-files.ts";

/** What hosts read on their own, in the folder of the project. */
const USUAL_NAMES = [
  ...["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md", "MEMORY.md"],
  ...[".cursor/rules", ".cursorrules", ".windsurfrules", ".github/copilot-instructions.md"],
];
const IMPORT_DEPTH = 5;
const INCLUDES = /^CLAUDE(?:\.local)?\.md$/i;

export async function readMarkdownFiles(named: readonly string[], world: FilesWorld): Promise<ForeignSource> {
  const usual = named.length > 0 ? { paths: named, leftOut: [] } : await usualFiles(world);
  const { files, leftOut } = await textFiles(usual.paths, world);
  leftOut.push(...usual.leftOut);
  const all = [...files];
  let latest = files.filter(({ path }) => INCLUDES.test(basename(path)));
  for (let depth = 1; depth <= IMPORT_DEPTH && latest.length > 0; depth += 1) {
    const paths = await included(latest, all, leftOut, world);
    const read = await textFiles(paths, world);
    leftOut.push(...read.leftOut);
    latest = read.files;
    all.push(...latest);
  }
  const memories = all.flatMap(({ name, text }) => readInstructions({ name, text }));
  return { memories, links: [], leftOut, files: all.map(({ path }) => path) };
}

/** A folder among them that is a link may lead out of the project. */
async function usualFiles(world: FilesWorld): Promise<{ paths: string[]; leftOut: LeftOut[] }> {
  const { files, place } = world;
  const [paths, leftOut]: [string[], LeftOut[]] = [[], []];
  for (const name of USUAL_NAMES) {
    const path = join(place.checkout, name);
    const kind = await files.kindOf(path);
    if (kind === "absent") continue;
    if (await isWithoutLinks(path, world)) paths.push(path);
    else leftOut.push({ what: path, reason: kind === "link" ? "is a link" : "is in a folder that is a link" });
  }
  if (paths.length + leftOut.length > 0) return { paths, leftOut };
  throw new Failure(
    "not_found",
    `${place.checkout} has none of ${USUAL_NAMES.join(", ")}.`,
    "Name the files: stele import --from markdown PATH.",
  );
}

/** The files that these include and that have not been read yet. */
async function included(
  files: TextFiles["files"],
  known: TextFiles["files"],
  leftOut: LeftOut[],
  world: FilesWorld,
): Promise<string[]> {
  const paths = new Set<string>();
  for (const { path, name, text } of files) {
    for (const written of importsIn(text)) {
      const target = written.startsWith("~/") ? written : resolve(dirname(path), written);
      const isOwn = isInside(target, world.place.checkout) && (await isWithoutLinks(target, world));
      if (!isOwn) leftOut.push({ what: `@${written} in ${name}`, reason: "leads outside the project" });
      else if ((await world.files.kindOf(target)) === "absent")
        leftOut.push({ what: `@${written} in ${name}`, reason: `${nameOf(target, world.place)} does not exist` });
      else if (!known.some((file) => file.path === target)) paths.add(target);
    }
  }
  return [...paths];
}
