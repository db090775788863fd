/** A project on disk that tests of the corpus share: files to write, an index to run. */
import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dispatch } from "../../src/catalog/dispatch.ts";
import type { CorpusShelf, Indexed } from "../../src/files/corpus.ts";
import { indexProject } from "../../src/files/index-project.ts";
import searchCode from "../../src/files/verbs/search-code.ts";
import searchDocs from "../../src/files/verbs/search-docs.ts";
import { temporaryFolder, type TestWorld, testWorld, type TestWorldOptions } from "../test-world.ts";

export interface CorpusWorld extends TestWorld {
  write(path: string, content: string | Buffer): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  index(request?: Parameters<typeof indexProject>[0]): Promise<Indexed>;
  paths(shelf: CorpusShelf): Promise<(string | null)[]>;
}

/** A function and a class, both with something said of them. */
export const COLONY = `/** Dives as deep as it is told. */
export function walrusDive(depth: number): number {
  return depth * 2;
}

export class SealColony {
  /** Counts the pups. */
  countPups(year: number): number {
    return year;
  }
}
`;

/** Asks through the verbs, as hosts do. */
export const askCode = async (world: CorpusWorld, query: string, more: Record<string, unknown> = {}) =>
  (await dispatch(searchCode, { query, ...more }, world)).answer;
export const askDocs = async (world: CorpusWorld, query: string, more: Record<string, unknown> = {}) =>
  (await dispatch(searchDocs, { query, ...more }, world)).answer;

/** Takes in one file of a world's project; answers the id of its item. */
export async function putFile(world: TestWorld, path: string, text: string): Promise<string> {
  const full = join(world.folder, "project", path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, text);
  await indexProject({}, world);
  const [state] = await world.project.fileStates({ paths: [path] });
  if (!state?.itemId) throw new Error(`${path}: ${state?.reason ?? "not met"}`);
  return state.itemId;
}

/** Long before the clock of tests, so that nothing counts as just written. */
const WRITTEN = new Date("2025-12-01T00:00:00Z");

export async function corpusWorld(
  files: Record<string, string | Buffer>,
  options: TestWorldOptions = {},
): Promise<CorpusWorld> {
  const folder = temporaryFolder();
  const at = (path: string) => join(folder, "project", path);
  let written = 0;
  const notes = options.notes === undefined ? {} : { notes: at(options.notes) };
  const opened = await testWorld({ ...options, ...notes, folder });
  const world = { ...opened, place: { ...opened.place, root: at(""), checkout: at("") } };
  function write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), content);
    written += 1;
    utimesSync(at(path), WRITTEN, new Date(WRITTEN.getTime() + written * 1_000));
  }
  mkdirSync(at(""), { recursive: true });
  for (const [path, content] of Object.entries(files)) write(path, content);
  return {
    ...world,
    write,
    rename: (from, to) => renameSync(at(from), at(to)),
    remove: (path) => rmSync(at(path), { recursive: true }),
    async index(request = {}) {
      world.clock.time += 10_000;
      const indexed = await indexProject(request, world);
      if (!indexed) throw new Error("somebody else indexes");
      return indexed;
    },
    async paths(shelf) {
      const { items } = await world.project.list(
        shelf,
        { statuses: ["active"], now: world.clock.now() },
        { limit: 100, offset: 0 },
      );
      return items.map(({ path }) => path).toSorted();
    },
  };
}
