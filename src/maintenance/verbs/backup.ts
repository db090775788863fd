/** Take a backup. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import { backup } from "../back-up.ts";
import { BackupFile } from "../backup.ts";

export default defineOperation({
  name: "backup",
  group: "care",
  summary:
    "Copy this project's store and the global one, while they are in use. Copies are verified; the oldest " +
    "backups are removed.",
  effect: "write",
  repeatable: false,
  input: z.object({}),
  output: z.object({
    id: z.string().describe("Pass it to restore."),
    path: z.string(),
    at: z.string(),
    files: z.array(BackupFile),
    dropped: z.array(z.string()).describe("Older backups removed to make room."),
  }),
  cli: { examples: ["stele backup", "stele backup --json"] },
  run: async (_, world) => backup(world),
  render: ({ id, path, files, dropped }) => {
    const copies = files.map(({ store, bytes }) => `${store} ${(bytes / 1_000_000).toFixed(1)} MB`).join(", ");
    const left = dropped.length > 0 ? `\nRemoved ${dropped.join(", ")}.` : "";
    return `Backed up as ${id}: ${copies}.\n${path}${left}`;
  },
});
