/**
 * Calls through the official MCP client to a real server process.
 *
 * The transport is our own, so that every line the server prints is judged, and so that lines can be
 * sent which no client would send.
 */
import { Client, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { ERROR_META_KEY } from "../../../src/mcp/tool.ts";
import { type Child, startChild } from "../../child.ts";
import { STELE } from "../../mcp.ts";
import { type Host, type Outcome, plain, replyTo, showsStack, type Style } from "../host.ts";
import { environment } from "../settings.ts";

/** Less than the run's own deadline, which ends everything. */
const CALL_DEADLINE_MS = 100_000;
const ECHO_DEADLINE_MS = 10_000;
/** Every so many calls one line that is no call. */
const RUBBISH_EVERY = 20;

interface Wire {
  transport: Transport;
  /** Sends bytes as they are. */
  inject(bytes: string | Buffer): void;
  /** What was wrong with what the server printed since the last look. */
  complaints(): string[];
}

export async function mcpHost(home: string, work: string): Promise<Host> {
  let style: Style | null = null;
  const wire = openWire(home, work);
  const client = new Client({ name: "fuzz", version: "0" }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler("elicitation/create", async ({ params }) => elicited(params, style));
  await client.connect(wire.transport);
  // The client holds answers against schemas only once it has seen them.
  await client.listTools();
  let calls = 0;

  async function callTool(name: string, input: unknown): Promise<Outcome> {
    const args = plain(input) as Record<string, unknown>;
    const options = { timeout: CALL_DEADLINE_MS };
    const result = await client.callTool({ name, arguments: args }, options);
    if (!result.isError) return { answer: result.structuredContent, failure: null, complaints: [] };
    const failure = (result._meta?.[ERROR_META_KEY] ?? null) as Outcome["failure"];
    const text = JSON.stringify(result.content);
    const complaints = failure === null ? [`an error without its parts: ${text}`] : [];
    if (failure !== null && !text.includes(failure.code)) complaints.push(`the text does not name the code: ${text}`);
    return { answer: null, failure, complaints };
  }

  const echo = (): Promise<string> =>
    client.ping({ timeout: ECHO_DEADLINE_MS }).then(
      () => "the server still answers: the call waits for something",
      () => "the server answers nothing: it is stuck",
    );

  return {
    home,
    hasDryRun: false,
    async call(call) {
      style = call.style;
      calls += 1;
      if (calls % RUBBISH_EVERY === 0) {
        for (const line of rubbishLines(call.op.name, call.style.rubbish)) wire.inject(line);
        await client.ping({ timeout: CALL_DEADLINE_MS });
      }
      const outcome = await callTool(call.op.name, call.input).catch(
        (thrown: Error): Outcome => refusedOutside(thrown, call.input),
      );
      // A silent server is either stuck or waiting for something: an echo tells which.
      if (outcome.complaints.some((complaint) => complaint.includes("timed out")))
        outcome.complaints.push(await echo());
      return { ...outcome, complaints: [...outcome.complaints, ...wire.complaints()] };
    },
    close: () => client.close(),
  };
}

/** The protocol itself may refuse arguments that are no object; every other refusal is the verb's to make. */
function refusedOutside(thrown: Error, input: unknown): Outcome {
  const value = plain(input);
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const isProtocol = !isObject && /invalid|expected/i.test(thrown.message);
  if (!isProtocol) return { answer: null, failure: null, complaints: [`the client threw: ${thrown.message}`] };
  const failure = { code: "invalid_input" as const, message: thrown.message, hint: "told by the protocol" };
  return { answer: null, failure, complaints: [] };
}

function elicited(params: unknown, style: Style | null) {
  if (style === null || style.person === "absent") return { action: "cancel" as const };
  const { requestedSchema } = params as { requestedSchema?: { properties?: Record<string, FormField> } };
  const fields = Object.entries(requestedSchema?.properties ?? {}).map(([name, { type, enum: options }]) => [
    name,
    type === "boolean" ? { kind: "confirm" } : options ? { kind: "choice", options } : { kind: "text" },
  ]);
  const reply = replyTo({ message: "", fields: Object.fromEntries(fields) }, style);
  return reply.action === "accept" ? { action: reply.action, content: reply.values } : reply;
}

interface FormField {
  type: string;
  enum?: string[];
}

/** Ids of their own: no client waits for the answers. */
function rubbishLines(name: string, text: string): (string | Buffer)[] {
  const request = (method: unknown, params: unknown, id: unknown = "rubbish") =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  return [
    "\n",
    "not json\n",
    `${text.replaceAll("\n", " ")}\n`,
    Buffer.from([0xff, 0xfe, 0x00, 0x0a]),
    `${"[".repeat(5_000)}\n`,
    '{"jsonrpc":"2.0"}\n',
    '{"jsonrpc":"1.0","id":"rubbish","method":"ping"}\n',
    "[]\n",
    '[{"jsonrpc":"2.0","id":"rubbish","method":"ping"}]\n',
    '{"jsonrpc":"2.0","id":"rubbish","result":{}}\n',
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}\n',
    request("tools/call", { name, arguments: { "no such field": text } }),
    request("tools/call", { name, arguments: [text] }, null),
    request("tools/call", { name: 7, arguments: [] }),
    request("tools/call", { name: "no_such_tool", arguments: {} }),
    request("tools/call", null),
    request("no/such/method", { [text]: text }),
    request({ nested: true }, []),
    request("completion/complete", { ref: text }),
    request("logging/setLevel", { level: text }),
  ];
}

function openWire(home: string, work: string): Wire {
  let child: Child | null = null;
  let isClosing = false;
  let rest = "";
  const complaints: string[] = [];
  const transport: Transport = {
    async start() {
      const options = { cwd: work, env: environment(home), input: null };
      child = startChild(null, [STELE, "mcp", "--tools", "full", "--structured"], options);
      child.process.stdout.on("data", (text: string) => {
        const lines = (rest + text).split("\n");
        rest = lines.pop()!;
        lines.forEach(receive);
      });
      child.process.stderr.on("data", (text: string) => {
        if (showsStack(text)) complaints.push(`on standard error: ${text}`);
      });
      child.process.stdin.on("error", (error) => complaints.push(`standard input broke: ${error.message}`));
      child.process.once("exit", (code, signal) => {
        if (!isClosing) complaints.push(`the server ended by itself (${code ?? signal})`);
        transport.onclose?.();
      });
    },
    async send(message) {
      child!.process.stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      isClosing = true;
      child!.process.stdin.end();
      await child!.ended;
    },
  };

  function receive(line: string): void {
    const message = messageIn(line);
    if (message === null) complaints.push(`standard output carried what is no message: ${line.slice(0, 300)}`);
    else if (!("id" in message) || (message.id !== "rubbish" && message.id !== null)) transport.onmessage?.(message);
  }

  return {
    transport,
    inject: (bytes) => void child!.process.stdin.write(bytes),
    complaints: () => complaints.splice(0),
  };
}

function messageIn(line: string): JSONRPCMessage | null {
  try {
    const message = JSON.parse(line) as JSONRPCMessage;
    return message.jsonrpc === "2.0" ? message : null;
  } catch {
    return null;
  }
}
