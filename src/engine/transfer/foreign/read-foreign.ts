/**
 * Reads what another tool remembers. Everything is read and understood before anything is written, and nothing is ever
 * written to the source.
 */
import { basename } from "node:path";
import { Failure } from "../../../errors.ts";
import { readAgentmemory } from "../../../logic/transfer/foreign/agentmemory.ts";
import { readBasicMemory } from "../../../logic/transfer/foreign/basic-memory.ts";
import { CLAUDE_MEM_TABLES, readClaudeMem } from "../../../logic/transfer/foreign/claude-mem.ts";
import { MCP_MEMORY_TABLES, readMcpMemory } from "../../../logic/transfer/foreign/mcp-memory.ts";
import { readMem0 } from "../../../logic/transfer/foreign/mem0.ts";
import type { ProjectChoice } from "../../../logic/transfer/foreign/project-choice.ts";
import { parsedJson } from "../../../logic/transfer/foreign/record.ts";
import { readServerMemory } from "../../../logic/transfer/foreign/server-memory.ts";
import type { ForeignReading, ForeignTable, ForeignTool, Reading } from "../../../model/transfer/foreign-memory.ts";
import { type FilesWorld, type ForeignSource, defaultPlace, fileIn, textFiles } from "./foreign-files.ts";
import { readMarkdownFiles } from "./read-markdown.ts";

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
