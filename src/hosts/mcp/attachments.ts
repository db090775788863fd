/**
 * Resources and prompts: answers of verbs that a person attaches to a conversation.
 *
 * Which there are is data of the catalog. A failure is an error of the protocol, because these have no other.
 */
import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate } from "@modelcontextprotocol/server";
import * as z from "zod";
import { toFailure } from "../../errors.ts";
import { type AnyOperation, type Catalog, type Prompt, type Resource, readerOf } from "../../operations/operation.ts";
import { dispatch, purposeOf } from "../dispatch.ts";
import { visible } from "../visible.ts";
import type { LazyWorld } from "./lazy-world.ts";
import { answerText } from "./tool.ts";

interface Source {
  catalog: Catalog;
  shared: Pick<LazyWorld, "use">;
}

export function offerResources(server: McpServer, resources: readonly Resource[], source: Source): void {
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

export function offerPrompts(server: McpServer, prompts: readonly Prompt[], source: Source): void {
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
