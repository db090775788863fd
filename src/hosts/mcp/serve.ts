/**
 * MCP over standard input and output, for both generations of the protocol.
 *
 * One tool per operation, all made from the catalog. Standard output carries the protocol
 * and nothing else. When the client disconnects, the server ends and leaves no process behind.
 */
import { Console } from "node:console";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { McpServer, type ClientCapabilities, type ServerContext } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { toFailure } from "../../errors.ts";
import { type AnyOperation, type Catalog, type Prompt, type Resource, loadAll } from "../../operations/operation.ts";
import type { Progress } from "../../ports/world.ts";
import { dispatch, type Opened } from "../dispatch.ts";
import { askedState, canElicit, elicitation } from "./elicitation.ts";
import { instructions } from "./instructions.ts";
import { lazyWorld, type LazyWorld, type StartIdle } from "./lazy-world.ts";
import { offerPrompts, offerResources } from "./attachments.ts";
import { answerResult, describeTool, type Exposure, failureResult } from "./tool.ts";
import { openWire } from "./wire.ts";

export interface McpOptions {
  catalog: Catalog;
  open(): Promise<Opened>;
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
  /** Work between calls; started after the first one. */
  idle?: StartIdle;
  /** How long running calls may take after the client disconnects; clients kill a server that stays much longer. */
  graceMs?: number;
}

export interface McpStreams {
  input: Readable;
  output: Writable;
  /** Ends the server like the end of the input does. */
  stop?: Promise<void>;
}

const TOOL_LIST_TTL_MS = 3_600_000;
const GRACE_MS = 2_000;
const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Serves until the client disconnects or a signal arrives; returns with the world closed. */
export async function serveMcp(options: McpOptions): Promise<void> {
  // A library that logs would otherwise corrupt the protocol.
  globalThis.console = new Console(process.stderr, process.stderr);
  await serveStreams(options, { input: process.stdin, output: process.stdout, stop: signalled() });
}

export async function serveStreams(options: McpOptions, streams: McpStreams): Promise<void> {
  const shared = lazyWorld(options.open, options.idle);
  const names = options.catalog.names.filter((name) => options.tools === "full" || options.defaultTools.includes(name));
  const shown = await loadAll({ ...options.catalog, names });
  const text = instructions(shown, options);
  const wire = openWire(streams.input, streams.output);
  const ended = Promise.race([wire.ended, ...(streams.stop ? [streams.stop] : [])]);
  const exposure = {
    ...{ isBrief: options.tools === "default", isStructured: options.structured ?? false },
    alwaysLoaded: options.alwaysLoaded ?? [],
  };
  const about = { ...options, instructions: text, exposure };
  const connection = serveStdio(() => makeServer(shown, shared, about), {
    transport: wire.transport,
    onerror: (error) => console.error(`stele: ${error.message}`),
  });
  await ended;
  const answered = new AbortController();
  const grace = delay(options.graceMs ?? GRACE_MS, undefined, { signal: answered.signal }).catch(() => undefined);
  // A client may write its requests, close its end and only then read.
  await Promise.race([wire.answered(), grace]);
  await connection.close();
  await shared.close(grace);
  answered.abort();
}

function makeServer(
  shown: readonly AnyOperation[],
  shared: LazyWorld,
  about: McpOptions & { instructions: string; exposure: Exposure },
): McpServer {
  const { exposure, resources = [], prompts = [] } = about;
  const server = new McpServer(
    { name: "stele", title: "Stele", version: about.version },
    {
      instructions: about.instructions,
      capabilities: { tools: { listChanged: false } },
      cacheHints: { "tools/list": { ttlMs: TOOL_LIST_TTL_MS, cacheScope: "private" } },
      requestState: { verify: askedState.verify },
    },
  );
  for (const op of shown) {
    server.registerTool(op.name, describeTool(op, exposure), (input, context) =>
      callTool(op, input, { shared, context, declared: server.server.getClientCapabilities(), exposure }),
    );
  }
  offerResources(server, resources, { catalog: about.catalog, shared });
  offerPrompts(server, prompts, { catalog: about.catalog, shared });
  return server;
}

async function callTool(
  op: AnyOperation,
  input: unknown,
  call: { shared: LazyWorld; context: ServerContext; declared: ClientCapabilities | undefined; exposure: Exposure },
) {
  const question = elicitation(op.name, input, call.context);
  const ask = canElicit(call.context, call.declared) ? question.ask : undefined;
  try {
    const { answer } = await call.shared.use((world) =>
      dispatch(op, input, { ...world, progress: progressOf(call.context, world.progress) }, { ask }),
    );
    return answerResult(op, answer, call.exposure);
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

function signalled(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of STOP_SIGNALS) process.once(signal, () => resolve());
  return promise;
}
