/**
 * A server that lives long: its memory and descriptors stay level, and it leaves no process behind.
 *
 * Reads the figures of the process from /proc. They are printed; what is asserted is their course, not their size.
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { inLane } from "../lane.ts";
import { ERAS, connect, shippedServer } from "../mcp.ts";
import { until } from "../until.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-long-life-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const CALLS = inLane({ fast: 200, long: 1_200, soak: 20_000 });
const LOOKS = 20;
/** Garbage is collected when V8 sees fit, and a server that warms up grows: only the soak is long enough to tell. */
const LEVEL = inLane({ fast: Infinity, long: Infinity, soak: 1.25 });

/** Jobs that run now and then open a file once and keep it. Whatever leaks at some call leaks hundreds. */
const KEPT_FILES = 5;

const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_000;
const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean).map(Number);

type Call = [verb: string, input: Record<string, unknown>];

/** Calls of every kind; what is written is forgotten again, so that the store itself does not grow for ever. */
function callsOf(turn: number, handle: string): Call[] {
  const about = `module ${turn % 97}`;
  return [
    ["remember", { content: `Turn ${turn} noticed something in ${about}`, tags: ["soak"] }],
    ["recall", { query: `what was noticed in ${about}` }],
    ["get", { id: handle }],
    ["update", { id: handle, priority: (turn % 10) + 1 }],
    ["context", { query: about }],
    ["orient", {}],
    ["list", { limit: 5 }],
    ["observe", { event: "error_occurred", content: `ENOENT ${turn % 50}` }],
    ["propose", { subject: about, decision: `Rewrite ${about}` }],
    ["decisions", { subject: about }],
    ["search_docs", { query: about }],
    ["search_code", { query: about }],
    ["related", { id: handle }],
    ["audit", { limit: 3 }],
    ["surface", {}],
    ["remember", { content: "" }],
    ["recall", { query: "x".repeat(2_000) }],
    ["no_such_verb", {}],
    ["forget", { target: handle }],
  ];
}

test(`${CALLS} calls leave memory and descriptors level, and no process`, async (context) => {
  const transport = shippedServer(join(folder, "server"), "--project", folder, "--tools", "full");
  const client = await connect(transport, { era: ERAS[0]! });
  const pid = transport.pid!;
  const looks: { memory: number; descriptors: number }[] = [];
  const children = new Set<number>();
  let [made, turn, handle] = [0, 0, ""];
  try {
    while (made < CALLS) {
      for (const [name, input] of callsOf((turn += 1), handle)) {
        const result = await client.callTool({ name, arguments: input }).catch(() => null);
        const stored = result?.structuredContent as { handle?: string; status?: string } | undefined;
        if (name === "remember" && stored?.handle) handle = stored.handle;
        made += 1;
        if (made % Math.ceil(CALLS / LOOKS) > 0) continue;
        looks.push({ memory: memoryOf(pid), descriptors: descriptorsOf(pid) });
        for (const child of childrenOf(pid)) children.add(child);
      }
    }
  } finally {
    await client.close();
  }
  await until(async () => [pid, ...children].every((one) => !existsSync(`/proc/${one}`)));
  const told = looks.map(({ memory, descriptors }) => `${memory.toFixed(0)} MB/${descriptors}`).join(" ");
  context.diagnostic(`${made} calls: ${told}`);
  const highest = (some: typeof looks, of: keyof (typeof looks)[number]) => Math.max(...some.map((look) => look[of]));
  const [early, late] = [looks.slice(LOOKS / 4, LOOKS / 2), looks.slice(LOOKS / 2)];
  assert.ok(highest(late, "memory") <= highest(early, "memory") * LEVEL, told);
  assert.ok(highest(late, "descriptors") <= highest(early, "descriptors") + KEPT_FILES, told);
});
