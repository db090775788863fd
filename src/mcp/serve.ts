/**
 * MCP over standard input and output, for both generations of the protocol.
 *
 * One tool per operation, all made from the catalog. Standard output carries the protocol
 * and nothing else. When the client disconnects, the server ends and leaves no process behind.
 */
import { Console } from "node:console";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { Opened, Purpose } from "../catalog/dispatch.ts";
import { stopSignal } from "../machine/background.ts";
import { lazyWorld, type StartIdle } from "./lazy-world.ts";
import { serverMaker, type ServerOptions } from "./server.ts";

/**
 * Wire: standard input and output as a transport that outlives its input.
 *
 * The library's own transport closes when the input ends and loses every answer in
 * progress. This one tracks unanswered requests, so that its owner can wait for them
 * before closing.
 */
interface Wire {
  readonly transport: Transport;
  /** The client has disconnected: nothing more can be read or written. */
  readonly ended: Promise<void>;
  /** Every request read so far has been answered, and the answers have been written. */
  answered(): Promise<void>;
}

/** Answered only when the connection ends. */
const OPEN_ENDED = "subscriptions/listen";

function openWire(stdin: Readable, stdout: Writable): Wire {
  const input = new PassThrough();
  const inner = new StdioServerTransport(stdin.pipe(input, { end: false }), stdout);
  const unanswered = new Set<RequestId>();
  const ended = Promise.withResolvers<void>();
  const allAnswered = Promise.withResolvers<void>();
  let isLast = false;

  function settle(id: RequestId | undefined): void {
    if (id !== undefined) unanswered.delete(id);
    if (isLast && unanswered.size === 0) allAnswered.resolve();
  }

  const transport: Transport = {
    start: () => inner.start(),
    close: () => inner.close(),
    async send(message) {
      await inner.send(message);
      if (!("method" in message)) settle(message.id);
    },
  };
  inner.onmessage = (message) => {
    if (isRequest(message)) unanswered.add(message.id);
    transport.onmessage?.(message);
    // A cancelled request gets no answer.
    if ("method" in message && message.method === "notifications/cancelled")
      settle(message.params?.["requestId"] as RequestId);
  };
  inner.onerror = (error) => transport.onerror?.(error);
  inner.onclose = () => {
    unanswered.clear();
    allAnswered.resolve();
    ended.resolve();
    transport.onclose?.();
  };
  for (const event of ["end", "close", "error"]) stdin.once(event, () => ended.resolve());
  stdout.once("error", () => ended.resolve());
  return {
    transport,
    ended: ended.promise,
    async answered() {
      while (input.readableLength + input.writableLength > 0) await nextTurn();
      isLast = true;
      settle(undefined);
      await allAnswered.promise;
      await new Promise<void>((resolve) => stdout.write("", () => resolve()));
    },
  };
}

function isRequest(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  return "method" in message && "id" in message && message.method !== OPEN_ENDED;
}

export interface McpOptions extends ServerOptions {
  open(purpose: Purpose): Promise<Opened>;
  /** Work between calls; started after the first one. */
  idle?: StartIdle;
  /** How long running calls may take after the client disconnects; clients kill a server that stays much longer. */
  graceMs?: number;
}

interface McpStreams {
  input: Readable;
  output: Writable;
  /** Ends the server like the end of the input does. */
  stop?: Promise<void>;
}

const GRACE_MS = 2_000;

/** Serves until the client disconnects or a signal arrives; returns with the world closed. */
export async function serveMcp(options: McpOptions): Promise<void> {
  // A library that logs would otherwise corrupt the protocol.
  globalThis.console = new Console(process.stderr, process.stderr);
  await serveStreams(options, { input: process.stdin, output: process.stdout, stop: stopSignal() });
}

export async function serveStreams(options: McpOptions, streams: McpStreams): Promise<void> {
  const shared = lazyWorld(options.open, options.idle);
  const make = await serverMaker(options);
  const wire = openWire(streams.input, streams.output);
  const ended = Promise.race([wire.ended, ...(streams.stop ? [streams.stop] : [])]);
  const connection = serveStdio(() => make(shared), {
    transport: wire.transport,
    onerror: (error) => console.error(`stele: ${lineFor(error)}`),
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

/** Of a message that does not fit the protocol, the schemas' library lists everything that it tried. */
function lineFor(error: Error): string {
  if ("issues" in error) return "A message is not JSON-RPC 2.0 and was ignored.";
  return error.message.split("\n")[0]!;
}
