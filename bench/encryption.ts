/**
 * What encryption costs: `npm run bench:encryption`. The same work on a plain and an encrypted memory, in turn, in one run.
 *
 * Turns are short and alternate, and processor time is measured, so that it hardly matters what else the machine does.
 * Vectors come from the hashing embedder.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEncryption } from "../src/app/compose-encryption.ts";
import { type Stele, open } from "../src/index.ts";
import { called } from "./command-line.ts";

const { memories } = called({
  script: "bench:encryption",
  what: "Measures what encryption costs: the same work on a plain and an encrypted memory, in turn.",
  options: { memories: { type: "string", value: "COUNT", what: "how many both hold first", default: "2000" } },
}).values;
const ROUNDS = 60;
const WORDS = "heron stork tower cache token queue index render commit branch deploy socket parser ledger window".split(
  " ",
);

interface Side {
  home: string;
  stele: Stele;
}

const folder = mkdtempSync(join(tmpdir(), "stele-bench-encryption-"));
const project = join(folder, "project");
mkdirSync(project);
const openIn = (home: string) => open({ home, project, settings: { embedder: { provider: "hash" } } });
const sentence = (number: number) =>
  `Note ${number}: ${Array.from({ length: 25 }, (_, at) => WORDS[(number * 7 + at * at) % WORDS.length]).join(" ")}`;

async function side(name: string, encrypted: boolean): Promise<Side> {
  const home = join(folder, name);
  mkdirSync(home, { mode: 0o700 });
  const keyFile = join(folder, "keys", "bench.key");
  if (encrypted) await openEncryption({ home, lateHooksMs: 0 }).change(null, { kind: "file", path: keyFile });
  return { home, stele: await openIn(home) };
}

let next = 0;
const WORK: Record<string, (side: Side, round: number) => Promise<unknown>> = {
  "remember, one": ({ stele }) => stele.remember({ content: sentence((next += 1)), compare: false }),
  "recall, warm": ({ stele }, round) => stele.recall({ query: `${WORDS[round % 15]} ${WORDS[(round * 3) % 15]}` }),
  "list, 50": ({ stele }) => stele.list({ limit: 50 }),
  "open, recall, close": async ({ home }) => {
    const stele = await openIn(home);
    await stele.recall({ query: "heron tower" });
    await stele.close();
  },
  "backup, both stores": ({ stele }, round) => (round % 12 === 0 ? stele.backup({}) : Promise.resolve(false)),
};

const median = (values: number[]) => [...values].sort((one, two) => one - two)[values.length >> 1]!;

try {
  const sides = [await side("plain", false), await side("encrypted", true)];
  for (const { stele } of sides)
    for (let number = 0; number < Number(memories); number += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, at) => stele.remember({ content: sentence(1e6 + number + at), compare: false })),
      );
  console.log(`${memories} memories; processor time, median of ${ROUNDS} turns, milliseconds`);
  for (const [what, work] of Object.entries(WORK)) {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1)
      for (const at of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const before = process.cpuUsage();
        const isDone = await work(sides[at]!, round);
        const { user, system } = process.cpuUsage(before);
        if (isDone !== false) times[at]!.push((user + system) / 1_000);
      }
    const [plain, encrypted] = times.map(median) as [number, number];
    const ratio = (encrypted / plain).toFixed(2);
    console.log(
      `${what.padEnd(22)} plain ${plain.toFixed(2).padStart(8)}  encrypted ${encrypted.toFixed(2).padStart(8)}  × ${ratio}`,
    );
  }
  for (const { stele } of sides) await stele.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
