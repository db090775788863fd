/**
 * Reads what another tool remembers. Everything is read and understood before anything is written, and nothing is ever
 * written to the source.
 */
import { basename, dirname, join, resolve } from "node:path";
import { Failure } from "../../errors.ts";
import { readAgentmemory } from "./agentmemory.ts";
import { readBasicMemory } from "./basic-memory.ts";
import { CLAUDE_MEM_TABLES, readClaudeMem } from "./claude-mem.ts";
import {
  defaultPlace,
  fileIn,
  type FilesWorld,
  type ForeignSource,
  isInside,
  isWithoutLinks,
  nameOf,
  type ProjectChoice,
  type TextFiles,
  textFiles,
} from "./foreign-files.ts";
import type { ForeignReading, ForeignTable, ForeignTool, LeftOut, Reading } from "./foreign-memory.ts";
import { importsIn, readInstructions } from "./markdown.ts";
import { MCP_MEMORY_TABLES, readMcpMemory } from "./mcp-memory.ts";
import { readMem0 } from "./mem0.ts";
import { parsedJson } from "./record.ts";
import { readServerMemory } from "./server-memory.ts";

// Reads Markdown files that instruct agents, and the files that a CLAUDE.md includes.
//
// What it includes is read only inside the project: a cloned repository must not decide which of a person's files are
// remembered.

/** What hosts read on their own, in the folder of the project. */
const USUAL_NAMES = [
  ...["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md", "AGENTS.md", "GEMINI.md", "MEMORY.md"],
  ...[".cursor/rules", ".cursorrules", ".windsurfrules", ".github/copilot-instructions.md"],
];
const IMPORT_DEPTH = 5;
const INCLUDES = /^CLAUDE(?:\.local)?\.md$/i;

async function readMarkdownFiles(named: readonly string[], world: FilesWorld): Promise<ForeignSource> {
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

export interface ForeignRequest {
  from: ForeignTool;
  /** None: the tool's usual place. Only Markdown has several. */
  paths: readonly string[];
  /** The project there; the one with the name of this one's folder when null. */
  sourceProject: string | null;
}

/** A parsed file takes several times its size in memory. */
const JSON_BYTES = 100_000_000;
const TABLE_LIMITS = { fileBytes: 1_000_000_000, rows: 200_000, valueBytes: 1_048_576 };

interface Source {
  path: string;
  choice: ProjectChoice;
  world: FilesWorld;
}

interface Reader {
  /** What to look for in a folder. */
  names: readonly string[];
  /** In words, for somebody who named something else. */
  expected: string;
  read(source: Source): Promise<Reading>;
}

type FileTool = Exclude<ForeignTool, "markdown" | "basic-memory">;

const READERS: Readonly<Record<FileTool, Reader>> = {
  "server-memory": {
    names: ["memory.jsonl", "memory.json"],
    expected: "the file of @modelcontextprotocol/server-memory: a JSON object a line",
    read: async (source) => readServerMemory(await textOf(source)),
  },
  "claude-mem": {
    names: ["claude-mem.db"],
    expected: "the database claude-mem.db",
    read: (source) => fromTables(source, CLAUDE_MEM_TABLES, (rows) => readClaudeMem(rows, source.choice)),
  },
  agentmemory: {
    names: ["standalone.json", "export.json"],
    expected: "standalone.json of agentmemory, or the JSON of its export",
    read: async (source) => readAgentmemory(await jsonOf(source), source.choice),
  },
  mem0: {
    names: [],
    expected: "the JSON that get_all of mem0 returns",
    read: async (source) => readMem0(await jsonOf(source)),
  },
  "mcp-memory-service": {
    names: ["sqlite_vec.db"],
    expected: "the database sqlite_vec.db of mcp-memory-service",
    read: (source) => fromTables(source, MCP_MEMORY_TABLES, readMcpMemory),
  },
};

export async function readForeign(
  { from, paths, sourceProject }: ForeignRequest,
  world: FilesWorld,
): Promise<ForeignSource> {
  const named = paths.map((path) => world.files.resolve(path));
  if (from === "markdown") return readMarkdownFiles(named, world);
  if (named.length > 1) {
    throw new Failure(
      "invalid_input",
      `${from} is read from one path, but ${named.length} are given.`,
      "Import one at a time.",
    );
  }
  const place = named[0] ?? (await defaultPlace(from, world));
  if (from === "basic-memory") return readNotes(place, world);
  const reader = READERS[from];
  const path = await fileIn(place, reader.names, world);
  const choice = { named: sourceProject, folder: basename(world.place.root) };
  const reading = await reader.read({ path, choice, world }).catch((thrown: unknown) => {
    if (!(thrown instanceof Failure) || thrown.code !== "invalid_input") throw thrown;
    throw unexpected(thrown.message, reader, thrown.hint);
  });
  if (!("fault" in reading)) return { ...reading, files: [path] };
  throw unexpected(`${path} is not what ${from} writes: ${reading.fault}.`, reader);
}

const CHECK = "Nothing was imported. Check --from and the path.";

const unexpected = (message: string, { expected }: Reader, hint = CHECK): Failure =>
  new Failure("invalid_input", `${message} Expected: ${expected}.`, hint);

async function readNotes(place: string, world: FilesWorld): Promise<ForeignSource> {
  const { files, leftOut } = await textFiles([place], world);
  const reading = readBasicMemory(files);
  return { ...reading, leftOut: [...leftOut, ...reading.leftOut], files: [place] };
}

const textOf = ({ path, world }: Source): Promise<string> => world.files.text(path, { fileBytes: JSON_BYTES });

/** Undefined, which no reader accepts, if it is not JSON. */
const jsonOf = async (source: Source): Promise<unknown> => parsedJson(await textOf(source));

async function fromTables(
  { path, world }: Source,
  tables: readonly ForeignTable[],
  read: (rows: Awaited<ReturnType<FilesWorld["foreign"]["tables"]>>["rows"]) => ForeignReading,
): Promise<ForeignReading> {
  const { rows, leftOut } = await world.foreign.tables(path, tables, TABLE_LIMITS);
  const reading = read(rows);
  return { ...reading, leftOut: [...leftOut, ...reading.leftOut] };
}
