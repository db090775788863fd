/**
 * MCP over standard input and output, for both generations of the protocol.
 *
 * One tool per operation, all made from the catalog. Standard output carries the protocol
 * and nothing else. When the client disconnects, the server ends and leaves no process behind.
 */
import { Console } from "node:console";
import type { Readable, Writable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import type { Opened, Purpose } from "../dispatch.ts";
import { stopSignal } from "../stop-signals.ts";
import { lazyWorld, type StartIdle } from "./lazy-world.ts";
import { type ServerOptions, serverMaker } from "./server.ts";
import { openWire } from "./wire.ts";

export interface McpOptions extends ServerOptions {
  open(purpose: Purpose): Promise<Opened>;
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
