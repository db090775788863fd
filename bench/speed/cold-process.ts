/** The first semantic question of a new process, including opening the store but not loading the program. */
import { join } from "node:path";
import { open } from "../../src/index.ts";

const folder = process.argv[2] ?? "";
const started = performance.now();
const stele = await open({ home: join(folder, "home"), project: folder, settings: { embedder: { provider: "hash" } } });
await stele.recall({ query: "ba ce di", mode: "semantic" });
const ms = performance.now() - started;
await stele.close();
process.stdout.write(JSON.stringify({ ms }));
