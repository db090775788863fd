/** Let go of a memory. */
import { z } from "zod";
import { forget } from "../engine/forget.ts";
import { shortText } from "../model/text.ts";
import { defineOperation } from "./operation.ts";

const Candidate = z.object({
  id: z.string(),
  scope: z.string(),
  type: z.string(),
  summary: z.string(),
  relevance: z.number(),
});

export default defineOperation({
  name: "forget",
  group: "memory",
  summary: "Archive a memory by id. Given words instead of an id, shows candidates and changes nothing.",
  effect: "destroy",
  repeatable: true,
  input: z.object({
    target: shortText(10_000).describe("Id of the memory, or words that describe it."),
    limit: z.int().min(1).max(50).default(5).describe("How many candidates to show."),
  }),
  output: z.object({
    status: z.enum(["forgotten", "candidates", "nothing"]),
    id: z.string().optional(),
    candidates: z.array(Candidate).optional(),
  }),
  cli: {
    positional: ["target"],
    examples: ["stele forget 0198c0de-0000-7000-8000-000000000000", 'stele forget "old deploy notes"'],
  },
  run: async ({ target, limit }, world) => forget(target, limit, world),
  render: ({ status, id, candidates = [] }) => {
    if (status === "forgotten") return `Archived ${id}. It is no longer recalled; list --status archived shows it.`;
    if (status === "nothing") return "Nothing like that is remembered.";
    const lines = candidates.map(
      (candidate) => `${candidate.id}  ${candidate.type}, ${candidate.scope}  ${candidate.summary}`,
    );
    return ["Nothing was changed. Which one? Forget it by its id:", ...lines].join("\n");
  },
});
