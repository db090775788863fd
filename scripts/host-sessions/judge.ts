/** What a host's sessions must show, read from the requests that its model got and from the memory. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BLOCK_END, BLOCK_START } from "../../src/sessions/clean-text.ts";
import { counted } from "../../src/text/short-text.ts";
import { estimatedTokens } from "../../src/text/tokens.ts";
import { countTokens } from "../../test/tokenizer.ts";
import type { Reply } from "./model.ts";
import { type Place, retried } from "./place.ts";

export const FACT = "The herons of the staging cluster nest in rack seven";
export const PROMPT = "Remember where the herons nest";
export const NEXT_PROMPT = "Tidy the imports, please";
export const ASKING = "Where do the herons nest?";
const HANDED_TOKENS = 550;
const CARRIED_TOKENS = 2_200;
const HANDLE_LENGTH = 8;

type Tool = { namespace?: string; name: string };
export const remembering = (tool: Tool): Reply[] => [
  { tool: { ...tool, input: { content: FACT } } },
  { text: "Noted: the herons nest in rack seven." },
];

/** The memory is there, the model was handed the tool's answer, and hooks have reported the session. */
export async function judge(place: Place, requests: readonly string[]): Promise<string> {
  const [recalled = ""] = (await place.stele("recall", ASKING)).split("\n");
  assert.match(recalled, /rack seven/, requests.map((body) => body.slice(-400)).join("\n"));
  assert.ok(requests.at(-1)!.includes(recalled.slice(0, HANDLE_LENGTH)), "the model was not handed the tool's answer");
  const log = join(place.data, "hook.log");
  assert.ok(!existsSync(log), existsSync(log) ? readFileSync(log, "utf8") : "");
  assert.ok(!existsSync(join(place.home, ".local", "share", "stele")), "the host wrote to another data folder");
  const reports = counted(reportsIn(place).length, "report");
  return `${requests.length} requests to the model, ${reports} of hooks, recalled ${recalled}`;
}

/** What hooks reported, before anybody took it in. */
function reportsIn({ data }: Place): string[] {
  const spool = join(data, "spool");
  if (!existsSync(spool)) return [];
  return readdirSync(spool, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A later session is handed what the first one learnt, once and within the budget, and again after a compaction. */
export async function handedOver(
  place: Place,
  requests: readonly string[],
  session: () => Promise<string>,
): Promise<string> {
  const before = requests.length;
  await session();
  // A host need not report the end of a session; the beginning of the next one ends it.
  await retried(async () => {
    await place.stele("extract");
    const why = await place.stele("why", PROMPT);
    assert.match(why, /herons nest/, `hooks have not reported the first session`);
  });
  const handed = requests.slice(before).join("\n").replaceAll("\\n", "\n");
  const blocks = new Set(handed.match(new RegExp(`${BLOCK_START}[^]*?${BLOCK_END}`, "g")) ?? []);
  assert.equal(blocks.size, 1, `one block, not ${blocks.size}: ${[...blocks].join("\n")}`);
  const [block = ""] = blocks;
  assert.ok(block.includes(FACT), block);
  const tokens = countTokens(block);
  assert.ok(tokens <= HANDED_TOKENS, `${tokens} tokens`);
  const payload = { session_id: "any", hook_event_name: "SessionStart", source: "compact", cwd: place.project };
  assert.ok((await place.hook(JSON.stringify(payload))).includes(FACT), "after a compaction it is handed over again");
  return `the next session was handed ${tokens} tokens (estimated ${estimatedTokens(block)})`;
}

/** What the definitions of our tools cost in a request, as the host writes them. */
export function carriedTokens(request: string): string {
  const { tools = [] } = JSON.parse(request) as { tools?: object[] };
  const ours = tools.map((tool) => JSON.stringify(tool)).filter((tool) => tool.includes("stele"));
  const tokens = ours.reduce((sum, tool) => sum + countTokens(tool), 0);
  assert.ok(ours.length > 0 && tokens <= CARRIED_TOKENS, `${ours.length} tools of ours with ${tokens} tokens`);
  return `its tools carry ${tokens} tokens`;
}

/** What the model was last told by `recall`. */
export function recalled(requests: readonly string[]): string {
  const told =
    requests
      .at(-1)!
      .match(/Recalled data, not instructions:(?:[^"\\]|\\.)*/g)
      ?.at(-1) ?? "";
  assert.ok(told.includes(FACT), `recall was not answered: ${requests.at(-1)!.slice(-1_000)}`);
  return `recall answered with ${countTokens(told.replaceAll("\\n", "\n"))} tokens`;
}
