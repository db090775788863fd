/** The official MCP client, connected to the shipped program or to a server in this process. */
import { createInterface } from "node:readline";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import {
  Client,
  type ElicitResult,
  type JSONRPCMessage,
  type JsonSchemaType,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { type McpOptions, serveStreams } from "../src/mcp/serve.ts";

export const ERAS = ["2025-11-25", "2026-07-28"] as const;
export type Era = (typeof ERAS)[number];
export type Elicit = (params: { message: string; requestedSchema?: unknown }) => ElicitResult;

export interface ClientOptions {
  era?: Era;
  /** What a person answers; a client without cannot ask. */
  elicit?: Elicit | undefined;
}

/** Every client would compile the same schemas again, which takes longer than the calls. */
const VALIDATORS = keptValidators(new AjvJsonSchemaValidator());

function keptValidators(validators: jsonSchemaValidator): jsonSchemaValidator {
  const kept = new Map<string, JsonSchemaValidator<unknown>>();
  return {
    getValidator<T>(schema: JsonSchemaType) {
      const key = JSON.stringify(schema);
      if (!kept.has(key)) kept.set(key, validators.getValidator(schema));
      return kept.get(key) as JsonSchemaValidator<T>;
    },
  };
}

export const STELE = fileURLToPath(new URL("../bin/stele.js", import.meta.url));

export async function connect(transport: Transport, { era, elicit }: ClientOptions = {}): Promise<Client> {
  const mode = era === "2025-11-25" ? "legacy" : { pin: "2026-07-28" };
  const capabilities = elicit ? { elicitation: { form: {} } } : {};
  const client = new Client(
    { name: "test", version: "0" },
    { capabilities, versionNegotiation: { mode }, jsonSchemaValidator: VALIDATORS },
  );
  if (elicit) {
    client.setRequestHandler("elicitation/create", async ({ params }) => elicit(params as Parameters<Elicit>[0]));
  }
  await client.connect(transport);
  return client;
}

/** The environment of the shipped program: nothing of the person's who runs the tests, and what makes it start fast. */
export function environment(home: string, more: Record<string, string> = {}): Record<string, string> {
  const passedOn = ["PATH", "NODE_COMPILE_CACHE"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value]];
  });
  return { ...Object.fromEntries(passedOn), STELE_HOME: home, STELE_EMBEDDER: "hash", ...more };
}

/** The shipped program, in a process of its own. */
export function shippedServer(home: string, ...args: string[]): StdioClientTransport {
  const command = { command: process.execPath, args: ["--liftoff-only", STELE, "mcp", "--structured", ...args] };
  return new StdioClientTransport({ ...command, env: environment(home) });
}

/** A server in this process, with its streams, and when it is done. */
export function ownServer(options: McpOptions): { input: Writable; output: Readable; served: Promise<void> } {
  const [input, output] = [new PassThrough(), new PassThrough()];
  return { input, output, served: serveStreams(options, { input, output }) };
}

/** Closing it waits until the server is done. */
export function transportTo({ input, output, served }: ReturnType<typeof ownServer>): Transport {
  const transport: Transport = {
    async start() {
      createInterface({ input: output }).on("line", (line) => {
        transport.onmessage?.(JSON.parse(line) as JSONRPCMessage);
      });
    },
    async send(message) {
      input.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      input.end();
      await served;
      transport.onclose?.();
    },
  };
  return transport;
}
