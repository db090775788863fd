/** Texts per second the packaged model embeds, through remember and backfill. */
import { join } from "node:path";
import { open } from "../../src/index.ts";
import { seeded, sentence } from "./corpus.ts";
import { timeOf } from "./measure.ts";

const TEXTS = 512;

const folder = process.argv[2] ?? "";
const random = seeded(7);
const stele = await open({
  home: join(folder, "home"),
  project: folder,
  settings: { embedder: { provider: "minilm" } },
});
await stele.remember({ content: sentence(0, random) });
const loadMs = await timeOf(() => stele.backfill({}));
for (let index = 1; index <= TEXTS; index += 1) await stele.remember({ content: sentence(index, random) });
const embedMs = await timeOf(() => stele.backfill({}));
await stele.close();
process.stdout.write(JSON.stringify({ loadMs, perSecond: TEXTS / (embedMs / 1_000) }));
