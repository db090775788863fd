/** A provider on this computer that answers as a test says, and keeps what it was sent. */
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";

export interface Sent {
  path: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: Record<string, unknown>;
}

/** Null never answers. */
export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown } | null;

export interface ProviderServer {
  address: string;
  sent: Sent[];
}

/** The answers in turn; the last one is repeated. */
export async function providerServer(answers: readonly Answer[] | ((sent: Sent) => Answer)): Promise<ProviderServer> {
  const sent: Sent[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    sent.push({ path: request.url ?? "", headers: request.headers, text, body: JSON.parse(text) });
    const answer =
      typeof answers === "function" ? answers(sent.at(-1)!) : answers[Math.min(sent.length, answers.length) - 1];
    if (!answer) return;
    const { status = 200, headers = {}, body = {} } = answer;
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => closed(server));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sent };
}

function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
