/**
 * An MCP server: one tool per operation, all made from the catalog, with resources and prompts.
 *
 * It knows no transport. One is made for each connection, or for each request where requests stand alone.
 */
import { McpServer, type ClientCapabilities, type ServerContext } from "@modelcontextprotocol/server";
import { toFailure } from "../../errors.ts";
import {
  type AnyOperation,
  type Catalog,
  type Prompt,
  type Resource,
  loadAll,
  readerOf,
} from "../../operations/operation.ts";
import type { Progress } from "../../ports/world.ts";
import { type AskElsewhere, dispatch, purposeOf } from "../dispatch.ts";
import { AS_DECLARED, type Naming } from "../invalid-input.ts";
import { askedState, canElicit, elicitation } from "./elicitation.ts";
import { instructions } from "./instructions.ts";
import type { LazyWorld } from "./lazy-world.ts";
import { offerPrompts, offerResources } from "./attachments.ts";
import { answerResult, describeTool, type Exposure, failureResult } from "./tool.ts";

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
    ...{ isBrief: options.tools === "default", isStructured: options.structured ?? false },
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
