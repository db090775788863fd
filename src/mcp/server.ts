/**
 * An MCP server: one tool per operation, all made from the catalog, with resources and prompts.
 *
 * It knows no transport. One is made for each connection, or for each request where requests stand alone.
 */
import {
  type ClientCapabilities,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { type AskElsewhere, dispatch, purposeOf } from "../catalog/dispatch.ts";
import { AS_DECLARED, type Naming } from "../catalog/input.ts";
import {
  type AnyOperation,
  type Catalog,
  GROUPS,
  loadAll,
  type Prompt,
  readerOf,
  type Resource,
} from "../catalog/operation.ts";
import { toFailure } from "../errors.ts";
import { visible } from "../text/paragraph.ts";
import type { Progress } from "../world.ts";
import { askedState, canElicit, elicitation } from "./elicitation.ts";
import type { LazyWorld } from "./lazy-world.ts";
import { answerResult, answerText, describeTool, type Exposure, failureResult } from "./tool.ts";

/**
 * Instructions: what a client tells its model about this server, once.
 *
 * Facts from the catalog, most useful first; facts that would exceed the limit of two
 * kilobytes are left out. Never repeats the tools' own descriptions. A few tools need no list by topic.
 */
const LIMIT_BYTES = 2047;

export function instructions(
  shown: readonly AnyOperation[],
  { catalog, guidance }: { catalog: Pick<Catalog, "names">; guidance?: string | undefined },
): string {
  const hidden = catalog.names.length - shown.length;
  const facts = [
    guidance ?? "",
    ...(hidden > 0 ? [] : GROUPS).map((group) =>
      named(
        `About ${group}`,
        shown.filter((op) => op.group === group),
      ),
    ),
    named(
      "May ask a person first; accept a refusal",
      shown.filter((op) => op.question !== undefined),
    ),
    hidden > 0 ? `${hidden} more verbs are available on the command line: \`stele --help\`.` : "",
  ];
  let text = "";
  for (const fact of facts) {
    if (fact === "") continue;
    const longer = text === "" ? fact : `${text}\n${fact}`;
    if (Buffer.byteLength(longer) <= LIMIT_BYTES) text = longer;
  }
  return text;
}

function named(title: string, ops: readonly AnyOperation[]): string {
  return ops.length === 0 ? "" : `${title}: ${ops.map((op) => op.name).join(", ")}.`;
}

/**
 * Resources and prompts: answers of verbs that a person attaches to a conversation.
 *
 * Which there are is data of the catalog. A failure is an error of the protocol, because these have no other.
 */
interface Source {
  catalog: Catalog;
  shared: Pick<LazyWorld, "use">;
}

function offerResources(server: McpServer, resources: readonly Resource[], source: Source): void {
  for (const { name, uri, verb, description } of resources) {
    const about = { description, mimeType: "text/plain" };
    const read = async (address: URL, fields: Record<string, unknown>) => ({
      contents: [{ uri: address.href, mimeType: "text/plain", text: await answerOf(verb, fields, source) }],
    });
    if (uri.includes("{")) {
      const template = new ResourceTemplate(uri, { list: undefined });
      server.registerResource(name, template, about, (address, fields) => read(address, decoded(fields)));
    } else {
      server.registerResource(name, uri, about, (address) => read(address, {}));
    }
  }
}

function offerPrompts(server: McpServer, prompts: readonly Prompt[], source: Source): void {
  for (const { name, verb, field, description } of prompts) {
    const message = async (fields: Record<string, unknown>) => ({
      messages: [
        { role: "user" as const, content: { type: "text" as const, text: await answerOf(verb, fields, source) } },
      ],
    });
    if (field === undefined) server.registerPrompt(name, { description }, () => message({}));
    else server.registerPrompt(name, { description, argsSchema: z.object({ [field]: z.string() }) }, message);
  }
}

async function answerOf(verb: string, fields: Record<string, unknown>, { catalog, shared }: Source): Promise<string> {
  const op: AnyOperation = await catalog.load(verb);
  try {
    return await shared.use(
      async (world) => answerText(op, (await dispatch(op, fields, world)).answer, readerOf(fields, world)),
      purposeOf(op, fields),
    );
  } catch (thrown) {
    const { code, message, hint } = toFailure(thrown);
    const kind = code === "internal" ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
    throw new ProtocolError(kind, visible(`${message} ${hint}`));
  }
}

/** The parts of an address arrive as they were written. */
const decoded = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, decodedPart(String(value))]));

/** What is wrongly encoded names nothing we have, and is said to by the verb. */
function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export interface ServerOptions {
  catalog: Catalog;
  /** "full" shows every operation, "default" only those named in `defaultTools`. */
  tools: "default" | "full";
  defaultTools: readonly string[];
  alwaysLoaded?: readonly string[];
  /** Declares output schemas, and answers with JSON beside the text. */
  structured?: boolean;
  resources?: readonly Resource[];
  prompts?: readonly Prompt[];
  version: string;
  /** When to call which tool; the first part of the instructions. */
  guidance?: string;
  /** Throws if a call may not be made from here. */
  refuse?(op: AnyOperation, input: Record<string, unknown>): void;
}

/** What a server works with; it may be opened by its first use. */
export type SharedWorld = Pick<LazyWorld, "use">;

const TOOL_LIST_TTL_MS = 3_600_000;
/** What is offered stays the same as long as the server runs. */
const UNCHANGING = { listChanged: false };

/** `askElsewhere`: a client's answer does not count as a person's here, but there is a place where a person can give one. */
export type MakeServer = (shared: SharedWorld, askElsewhere?: AskElsewhere) => McpServer;

export async function serverMaker(options: ServerOptions): Promise<MakeServer> {
  const names = options.catalog.names.filter((name) => options.tools === "full" || options.defaultTools.includes(name));
  const shown = await loadAll({ ...options.catalog, names });
  const exposure = {
    isBrief: options.tools === "default",
    isStructured: options.structured ?? false,
    alwaysLoaded: options.alwaysLoaded ?? [],
  };
  const about = { ...options, instructions: instructions(shown, options), exposure };
  return (shared, askElsewhere) => makeServer(shown, shared, { ...about, askElsewhere });
}

function makeServer(
  shown: readonly AnyOperation[],
  shared: SharedWorld,
  about: About & { instructions: string },
): McpServer {
  const { exposure, resources = [], prompts = [] } = about;
  const server = new McpServer(
    { name: "stele", title: "Stele", version: about.version },
    {
      instructions: about.instructions,
      capabilities: {
        tools: UNCHANGING,
        ...(resources.length > 0 && { resources: UNCHANGING }),
        ...(prompts.length > 0 && { prompts: UNCHANGING }),
      },
      cacheHints: { "tools/list": { ttlMs: TOOL_LIST_TTL_MS, cacheScope: "private" } },
      requestState: { verify: askedState.verify },
    },
  );
  for (const op of shown) {
    server.registerTool(op.name, describeTool(op, exposure), (input, context) =>
      callTool(op, input, { shared, context, declared: server.server.getClientCapabilities(), about }),
    );
  }
  offerResources(server, resources, { catalog: about.catalog, shared });
  offerPrompts(server, prompts, { catalog: about.catalog, shared });
  return server;
}

/** A client that was told of a tool's everyday fields is not told of others because of a mistake. */
const EVERYDAY: Naming = { ...AS_DECLARED, fields: ({ input, tool }) => tool?.fields ?? Object.keys(input.shape) };

type About = ServerOptions & { exposure: Exposure; askElsewhere: AskElsewhere | undefined };

interface Call {
  shared: SharedWorld;
  context: ServerContext;
  declared: ClientCapabilities | undefined;
  about: About;
}

async function callTool(op: AnyOperation, input: unknown, { shared, context, declared, about }: Call) {
  const { exposure, refuse, askElsewhere } = about;
  const question = elicitation(op.name, input, context);
  const naming = exposure.isBrief ? EVERYDAY : AS_DECLARED;
  const ask = askElsewhere === undefined && canElicit(context, declared) ? question.ask : undefined;
  try {
    refuse?.(op, input as Record<string, unknown>);
    return await shared.use(
      async (world) => {
        const own = { ...world, progress: progressOf(context, world.progress) };
        const { answer } = await dispatch(op, input, own, { ask, askElsewhere, naming });
        return answerResult(op, answer, readerOf(input as Record<string, unknown>, world), exposure);
      },
      purposeOf(op, input),
    );
  } catch (thrown) {
    return (await question.pending()) ?? failureResult(toFailure(thrown));
  }
}

function progressOf(context: ServerContext, silent: Progress): Progress {
  const progressToken = context.mcpReq._meta?.progressToken;
  if (progressToken === undefined) return silent;
  let last = -1;
  return {
    report(done, total, message) {
      // The protocol requires a growing number.
      if (done <= last) return;
      last = done;
      const params = { progressToken, progress: done, total, message };
      context.mcpReq.notify({ method: "notifications/progress", params }).catch((error: Error) => {
        console.error(`stele: progress was not sent: ${error.message}`);
      });
    },
  };
}
