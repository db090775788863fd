/** Show what is stored and its state. */
import * as z from "zod";
import { inspect } from "../../engine/care/inspect.ts";
import { suggestConsolidation } from "../../engine/care/suggest-consolidation.ts";
import { Scope, Status } from "../../model/memory/item.ts";
import { Shelf } from "../../model/memory/shelf.ts";
import { counted } from "../../model/text/count.ts";
import { defineOperation } from "../operation.ts";

const Report = z.object({
  path: z.string(),
  bytes: z.int(),
  schema: z.int(),
  counts: z.array(z.object({ shelf: Shelf, scope: Scope, type: z.string(), status: Status, count: z.int() })),
  embeddable: z.int().describe("Passages that have a vector or will get one."),
  embedders: z
    .array(z.object({ identity: z.string(), waiting: z.int() }))
    .describe("Embedders whose vectors are stored."),
  journalLength: z.int(),
  accesses: z
    .object({ get: z.int(), search: z.int(), shown: z.int() })
    .describe("Access log entries: items read by id, found by searches, or remembered again."),
});
type Report = z.infer<typeof Report>;

export default defineOperation({
  name: "inspect",
  group: "care",
  summary: "Show what is stored and where: counts, files, sizes, embedder, journal, and what is pending.",
  effect: "read",
  repeatable: true,
  input: z.object({}),
  output: z.object({
    root: z.string(),
    branch: z.string().nullable(),
    spaceId: z.string(),
    readOnly: z.boolean(),
    embedder: z.object({ identity: z.string(), state: z.string() }),
    waiting: z.int(),
    stores: z.object({ project: Report, global: Report }),
    suggestions: z.array(z.string()).describe("What is worth doing."),
  }),
  cli: { examples: ["stele inspect", "stele inspect --json"] },
  run: async (_, world) => {
    const inspected = await inspect(world);
    return { ...inspected, suggestions: await suggestConsolidation(world, inspected.stores) };
  },
  render: ({ root, branch, readOnly, embedder, waiting, stores, suggestions }) =>
    [
      `Project   ${root}${branch ? ` (${branch})` : ""}${readOnly ? ", read-only" : ""}`,
      `Embedder  ${embedder.identity} (${embedder.state}), ${counted(waiting, "passage")} pending`,
      ...renderStore("Project", stores.project),
      ...renderStore("Global", stores.global),
      ...suggestions.flatMap((line) => ["", line]),
    ].join("\n"),
});

function renderStore(
  name: string,
  { path, bytes, schema, counts, embeddable, embedders, journalLength, accesses }: Report,
): string[] {
  const facts = [
    `${(bytes / 1_000_000).toFixed(1)} MB`,
    `schema ${schema}`,
    counted(embeddable, "embeddable passage"),
    counted(journalLength, "journal entry", "journal entries"),
  ].join(", ");
  const used = `  read ${counted(accesses.get, "time")} by id, found ${counted(accesses.search, "time")} by searches`;
  const kept = embedders.map(({ identity, waiting }) => `  vectors of ${identity}, ${waiting} pending`);
  const rows = counts.map(
    ({ shelf, scope, type, status, count }) => `  ${String(count).padStart(6)}  ${shelf}: ${type}, ${scope}, ${status}`,
  );
  return ["", `${name} store  ${path}`, `  ${facts}`, used, ...kept, ...rows];
}
