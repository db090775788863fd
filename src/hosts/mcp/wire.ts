/**
 * Wire: standard input and output as a transport that outlives its input.
 *
 * The library's own transport closes when the input ends, and every answer still being made
 * is lost. This one knows which requests are owed an answer, so that its owner can wait for
 * them before closing.
 */
import { PassThrough, type Readable, type Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

export interface Wire {
  readonly transport: Transport;
  /** The client has gone: nothing more is read, or nothing can be written. */
  readonly ended: Promise<void>;
  /** Every request that was read has its answer, and the reader was given it. */
  answered(): Promise<void>;
}

/** Answered when the connection ends, not before. */
const OPEN_ENDED = "subscriptions/listen";

export function openWire(stdin: Readable, stdout: Writable): Wire {
  const input = new PassThrough();
  const inner = new StdioServerTransport(stdin.pipe(input, { end: false }), stdout);
  const owed = new Set<RequestId>();
  const ended = Promise.withResolvers<void>();
  const paid = Promise.withResolvers<void>();
  let isLast = false;

  function settle(id: RequestId | undefined): void {
    if (id !== undefined) owed.delete(id);
    if (isLast && owed.size === 0) paid.resolve();
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
    if (isAsking(message)) owed.add(message.id);
    transport.onmessage?.(message);
    // Whoever cancels a request gets no answer to it.
    if ("method" in message && message.method === "notifications/cancelled")
      settle(message.params?.["requestId"] as RequestId);
  };
  inner.onerror = (error) => transport.onerror?.(error);
  inner.onclose = () => {
    owed.clear();
    paid.resolve();
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
      await paid.promise;
      await new Promise<void>((resolve) => stdout.write("", () => resolve()));
    },
  };
}

function isAsking(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  return "method" in message && "id" in message && message.method !== OPEN_ENDED;
}
