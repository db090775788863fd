/**
 * Wire: standard input and output as a transport that outlives its input.
 *
 * The library's own transport closes when the input ends and loses every answer in
 * progress. This one tracks unanswered requests, so that its owner can wait for them
 * before closing.
 */
import { PassThrough, type Readable, type Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

export interface Wire {
  readonly transport: Transport;
  /** The client has disconnected: nothing more can be read or written. */
  readonly ended: Promise<void>;
  /** Every request read so far has been answered, and the answers have been written. */
  answered(): Promise<void>;
}

/** Answered only when the connection ends. */
const OPEN_ENDED = "subscriptions/listen";

export function openWire(stdin: Readable, stdout: Writable): Wire {
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
