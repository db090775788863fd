/** Fills a store with memories and their vectors, by the packaged model. Arguments: the folder, how many. */
import { join } from "node:path";
import { open } from "../../src/index.ts";
import { seeded, sentence } from "./corpus.ts";

const BATCH = 500;

const [folder = "", count = ""] = process.argv.slice(2);
const random = seeded(17);
const stele = await open({
  home: join(folder, "home"),
  project: folder,
  settings: { embedder: { provider: "minilm" } },
});
for (let start = 0; start < Number(count); start += BATCH) {
  const texts = Array.from({ length: Math.min(BATCH, Number(count) - start) }, (_, index) =>
    sentence(start + index, random),
  );
  await Promise.all(texts.map((content) => stele.remember({ content })));
}
await stele.backfill({});
await stele.close();
process.stdout.write("{}");
