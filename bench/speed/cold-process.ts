/** A new process's first question by meaning: opening the store counts, loading programs does not. */
import { join } from "node:path";
import { open } from "../../src/index.ts";

const folder = process.argv[2] ?? "";
const started = performance.now();
const stele = await open({ home: join(folder, "home"), project: folder, settings: { embedder: { provider: "hash" } } });
await stele.recall({ query: "ba ce di", mode: "semantic" });
const ms = performance.now() - started;
await stele.close();
process.stdout.write(JSON.stringify({ ms }));
