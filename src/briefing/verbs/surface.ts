/** Show what a session should know from its first word on. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import type { Question } from "../../catalog/question.ts";
import { isForAgent } from "../../decisions/consent.ts";
import { withHandle } from "../../memory/handles.ts";
import { identity, Shelf } from "../../memory/item.ts";
import { isoTime } from "../../memory/shown-item.ts";
import { lineText } from "../../text/text.ts";
import { CATEGORIES } from "../surface-lines.ts";
import { surface } from "../surface.ts";
import { SURFACE_FILE, writeSurface } from "../write-surface.ts";

export default defineOperation({
  name: "surface",
  group: "session",
  summary:
    "Show what a new session is given, in a few hundred tokens: decisions that hold, what is open and recent, and what else is known. " +
    "Hosts with Stele's hooks hand it to every new session.",
  effect: "write",
  begins: false,
  repeatable: true,
  input: z.object({
    branch: lineText(250)
      .optional()
      .describe("The branch whose memories come first; the one that is checked out when omitted."),
    fresh: z.boolean().default(false).describe("Make it anew, even if nothing has changed since it was made."),
    write: z
      .boolean()
      .default(false)
      .describe(`Also write it to ${SURFACE_FILE} in the checkout, and have git ignore that file in this clone.`),
  }),
  output: z.object({
    text: z.string().describe("Markdown between two marks; empty if there is nothing to tell."),
    tokens: z.int().describe("An estimate that is never too low."),
    items: z
      .array(z.object({ ...identity, shelf: Shelf, category: z.enum(CATEGORIES), rank: z.number() }))
      .describe("What it shows."),
    sessions: z.array(z.string()).describe("Sessions that it tells of."),
    cached: z.boolean().describe("Nothing has changed since it was made."),
    madeAt: z.string(),
    path: z.string().nullable().describe("The file that was written."),
    isPlainCopy: z.boolean().describe("Whether the memory is encrypted, and that file is not."),
  }),
  cli: { examples: ["stele surface", "stele surface --branch release --json", "stele surface --write"] },
  async question({ write }, world): Promise<Question | null> {
    // As for an export: an agent makes no plain copy of an encrypted memory unasked.
    if (!write || !world.isEncrypted || !isForAgent(world.origin)) return null;
    const message = `An agent wants to write what new sessions are given to ${SURFACE_FILE}, NOT encrypted although the memory is.`;
    return { message, fields: { write: { kind: "confirm", label: "Write it" } } };
  },
  run: async ({ branch, fresh, write }, world) => {
    const { items, madeAt, told, ...shown } = await surface(world, { branch, fresh });
    const path = write ? await writeSurface(shown.text, world) : null;
    return {
      ...shown,
      items: items.map(withHandle),
      sessions: told.sources,
      madeAt: isoTime(madeAt),
      path,
      isPlainCopy: write && world.isEncrypted,
    };
  },
  render: ({ text, path, isPlainCopy }) =>
    [
      text || "Nothing is known here yet.",
      ...(path === null ? [] : ["", `Written to ${path}.`]),
      ...(isPlainCopy ? ["WARNING: the memory is encrypted, but this file is NOT."] : []),
    ].join("\n"),
  renderDryRun: ({ path }) => (path === null ? "" : `Would write ${path}.`),
});
