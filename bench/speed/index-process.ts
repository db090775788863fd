/**
 * How fast a project is indexed, against parsing alone, in alternating rounds.
 *
 * The files are real: this project's dependencies. The parser has the same two threads both times and reads the same
 * texts. The unchanged tree is a large one of small files, so that checking them is all the work.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openWorld } from "../../src/app/compose.ts";
import { createProjectFiles } from "../../src/files/disk/project-files.ts";
import { indexProject } from "../../src/files/index-project.ts";
import { shelfOf } from "../../src/files/languages.ts";
import { createParser } from "../../src/files/parse/pool.ts";
import { median, timeOf } from "./measure.ts";
import type { IndexTimes } from "./processes.ts";

const ROUNDS = 3;
const LIMITS = { files: 1_000_000, fileBytes: 1_000_000, excludes: [] };
const LARGE_TREE = 10_000;
const FILES_PER_FOLDER = 50;
const SETTINGS = { embedder: { provider: "none" }, index: { files: LARGE_TREE } };
const DEPENDENCIES = fileURLToPath(new URL("../../node_modules", import.meta.url));

const folder = process.argv[2] ?? "";
const parser = createParser();

async function parseAll(project: string): Promise<number> {
  const files = createProjectFiles(project, { polling: false, log: { debug: () => undefined, warn: () => undefined } });
  const { found } = await files.walk(LIMITS);
  const texts = found.map(({ path }) => ({ path, text: readFileSync(join(project, path), "utf8") }));
  await Promise.all(
    texts.map(({ path, text }) => parser.parse({ path, text, shelf: shelfOf(path) === "code" ? "code" : "document" })),
  );
  return texts.length;
}

/** In a new home, so that nothing is indexed yet. Also returns how long a check without changes took. */
async function index(project: string): Promise<{ first: number; again: number; files: number }> {
  const home = join(folder, "home");
  const { world, close } = await openWorld({ host: "bench", home, project, settings: SETTINGS });
  const work = { ...world, parser };
  const counted = { files: 0 };
  const first = await timeOf(async () => {
    const indexed = await indexProject({}, work);
    counted.files = (indexed?.documents.added ?? 0) + (indexed?.code.added ?? 0);
  });
  // Files written a moment ago are read again; a day later they would not be.
  const later = { ...work, clock: { now: () => Date.now() + 86_400_000 } };
  await indexProject({}, later);
  const again = await timeOf(() => indexProject({}, later));
  await close();
  rmSync(home, { recursive: true });
  return { first, again, ...counted };
}

function copyDependencies(to: string): void {
  for (const name of readdirSync(DEPENDENCIES)) {
    if (name.startsWith(".")) continue;
    cpSync(join(DEPENDENCIES, name), join(to, name), { recursive: true, dereference: false });
  }
}

function writeLargeTree(to: string): void {
  for (let file = 0; file < LARGE_TREE; file += 1) {
    const place = join(to, `folder${Math.floor(file / FILES_PER_FOLDER)}`);
    if (file % FILES_PER_FOLDER === 0) mkdirSync(place, { recursive: true });
    writeFileSync(join(place, `file${file}.ts`), `export const value${file} = ${file};\n`);
  }
}

const [real, large] = [join(folder, "real"), join(folder, "large")];
copyDependencies(real);
writeLargeTree(large);
await parseAll(real);
const times = { parsing: [] as number[], indexing: [] as number[] };
let counted = 0;
for (let round = 0; round < ROUNDS; round += 1) {
  times.parsing.push(await timeOf(() => parseAll(real)));
  const { first, files } = await index(real);
  times.indexing.push(first);
  counted = files;
}
const { again } = await index(large);
await parser.close();
const [parsing, indexing] = [median(times.parsing), median(times.indexing)];
process.stdout.write(
  JSON.stringify({ files: counted, parsing, indexing, again, largeFiles: LARGE_TREE } satisfies IndexTimes),
);
