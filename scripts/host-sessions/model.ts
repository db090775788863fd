/**
 * A scripted model on this machine, which Claude Code (Anthropic Messages) and Codex (OpenAI Responses) talk to.
 *
 * It gives its replies in order and repeats the last one; it keeps every request, so that a test sees what a host really
 * hands to its model.
 */
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

export interface Reply {
  text?: string;
  /** Codex calls tools of a server by their name in its namespace. */
  tool?: { namespace?: string; name: string; input: object };
  /** Words by which Codex looks for tools that it has not shown to its model. */
  search?: string;
}

export interface ScriptedModel extends AsyncDisposable {
  port: number;
  /** The bodies of all requests, as text. */
  requests: string[];
  /** What it says from now on. */
  script(replies: readonly Reply[]): void;
}

export async function startModel(): Promise<ScriptedModel> {
  const requests: string[] = [];
  let replies: readonly Reply[] = [{ text: "Done." }];
  let [turn, said] = [0, 0];
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const path = request.url?.split("?")[0] ?? "";
    if (path.endsWith("/count_tokens")) return void response.end('{"input_tokens":10}');
    if (!/\/(?:messages|responses)$/.test(path)) return void response.writeHead(404).end("{}");
    requests.push(body);
    const reply = replies[Math.min(turn++, replies.length - 1)]!;
    const id = String((said += 1));
    const send = events(response);
    if (path.endsWith("/messages")) asAnthropic(reply, id, (JSON.parse(body) as { model: string }).model, send);
    else asOpenAi(reply, id, send);
    response.end();
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    requests,
    script(next) {
      [replies, turn] = [next, 0];
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Send = (type: string, data: object) => void;

function events(response: ServerResponse): Send {
  response.writeHead(200, { "content-type": "text/event-stream" });
  return (type, data) => void response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
}

function asAnthropic({ text: said, tool }: Reply, id: string, model: string, send: Send): void {
  const usage = { input_tokens: 10, output_tokens: 5 };
  const message = { id: `msg_${id}`, type: "message", role: "assistant", model, content: [], stop_reason: null, usage };
  send("message_start", { message: { ...message, stop_sequence: null } });
  const blocks = [
    ...(said === undefined
      ? []
      : [
          [
            { type: "text", text: "" },
            { type: "text_delta", text: said },
          ],
        ]),
    ...(tool === undefined
      ? []
      : [
          [
            { type: "tool_use", id: `toolu_${id}`, name: tool.name, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(tool.input) },
          ],
        ]),
  ];
  for (const [index, [content_block, delta]] of blocks.entries()) {
    send("content_block_start", { index, content_block });
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  send("message_delta", { delta: { stop_reason: tool ? "tool_use" : "end_turn", stop_sequence: null }, usage });
  send("message_stop", {});
}

function asOpenAi({ text: said, tool, search }: Reply, id: string, send: Send): void {
  send("response.created", { response: { id: `r_${id}` } });
  const items = [
    ...(said === undefined
      ? []
      : [
          {
            type: "message",
            id: `m_${id}`,
            role: "assistant",
            content: [{ type: "output_text", text: said, annotations: [] }],
          },
        ]),
    ...(tool === undefined
      ? []
      : [
          {
            type: "function_call",
            id: `f_${id}`,
            call_id: `c_${id}`,
            name: tool.name,
            ...(tool.namespace && { namespace: tool.namespace }),
            arguments: JSON.stringify(tool.input),
          },
        ]),
    ...(search === undefined
      ? []
      : [{ type: "tool_search_call", call_id: `s_${id}`, execution: "client", arguments: { query: search } }]),
  ];
  for (const [output_index, item] of items.entries()) {
    send("response.output_item.added", { output_index, item });
    send("response.output_item.done", { output_index, item });
  }
  const usage = { input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5, total_tokens: 15 };
  send("response.completed", {
    response: { id: `r_${id}`, usage: { ...usage, output_tokens_details: { reasoning_tokens: 0 } } },
  });
}
