/**
 * Ten wrong calls that an agent would make, and what each gets, through the official MCP client: `npm run bench:tokens -- --wrong-calls`.
 *
 * An agent learns from the answer or not at all, so the answer must say what to call instead.
 */
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport, type StdioServerParameters } from "@modelcontextprotocol/client/stdio";
import { countTokens } from "../../test/tokenizer.ts";

interface WrongCall {
  name: string;
  arguments: Record<string, unknown>;
  /** What makes it wrong. */
  why: string;
}

const UNKNOWN = "3454beef";

/** Handles and days are others in every run. */
const repeatable = (text: string): string =>
  text
    .replaceAll(/\b[0-9a-f]{8}\b/g, (handle) => (handle === UNKNOWN ? handle : "3454a66d"))
    .replaceAll(/(?<=agent )\d{4}-\d\d-\d\d/g, "2026-04-01");

export const WRONG_CALLS: readonly WrongCall[] = [
  { why: "a field of another tool", name: "remember", arguments: { text: "Deploys run from CI" } },
  { why: "nothing given", name: "remember", arguments: {} },
  { why: "a type that does not exist", name: "remember", arguments: { content: "Deploys run from CI", type: "note" } },
  { why: "text for a list", name: "remember", arguments: { content: "Deploys run from CI", tags: "deploy, ci" } },
  { why: "text for a number", name: "recall", arguments: { query: "where do deploys run", limit: "5" } },
  { why: "out of range", name: "recall", arguments: { query: "deploys", limit: 500 } },
  { why: "a misspelt field", name: "recall", arguments: { querry: "deploys" } },
  { why: "a date nobody can place", name: "recall", arguments: { query: "deploys", since: "sometime in spring" } },
  { why: "an id that does not exist", name: "get", arguments: { id: UNKNOWN } },
  {
    why: "a field in other words",
    name: "propose",
    arguments: { decision: "Deploy from CI", reason: "safer" },
  },
];

export interface Answered {
  why: string;
  call: string;
  answer: string;
  tokens: number;
}

export async function callWrongly(server: StdioServerParameters): Promise<Answered[]> {
  const client = new Client({ name: "wrong-calls", version: "0" });
  await client.connect(new StdioClientTransport(server));
  try {
    const answered: Answered[] = [];
    for (const { why, name, arguments: input } of WRONG_CALLS) {
      const { content } = await client.callTool({ name, arguments: input });
      const answer = repeatable((content as { text?: string }[])[0]?.text ?? "");
      answered.push({ why, call: `${name} ${JSON.stringify(input)}`, answer, tokens: countTokens(answer) });
    }
    return answered;
  } finally {
    await client.close();
  }
}

/** As docs/hosts.md shows it. */
export const wrongCallsTable = (answered: readonly Answered[]): string =>
  [
    "| wrong | call | answer | tokens |",
    "| --- | --- | --- | --- |",
    ...answered.map(({ why, call, answer, tokens }) => `| ${why} | \`${call}\` | ${cell(answer)} | ${tokens} |`),
  ].join("\n");

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", "<br>");
