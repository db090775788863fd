/**
 * The verbs, resources and prompts that the conformance suite expects of a server under test, as far as verbs can be like
 * that: they answer with text, report progress and fail. They are served beside our own, by the same code.
 */
import * as z from "zod";
import { type AnyOperation, defineOperation, type Prompt, type Resource } from "../../../src/catalog/operation.ts";
import { Failure } from "../../../src/errors.ts";
import type { World } from "../../../src/world.ts";

function answering(name: string, run: (world: World, id: string) => string): AnyOperation {
  return defineOperation({
    name,
    group: "session",
    summary: `The suite calls it as ${name}.`,
    effect: "read",
    repeatable: true,
    input: z.object({ id: z.string().optional().describe("What it is about.") }),
    output: z.object({ text: z.string() }),
    cli: { examples: [] },
    run: async ({ id = "" }, world) => ({ text: run(world, id) }),
    render: ({ text }) => text,
  }) as unknown as AnyOperation;
}

export const SUITE_VERBS: readonly AnyOperation[] = [
  answering("test_simple_text", (_world, id) => `This is a simple text response for testing. ${id}`),
  answering("test_error_handling", () => {
    throw new Failure("conflict", "This tool intentionally returns an error for testing.", "Do not call it.");
  }),
  answering("test_tool_with_progress", ({ progress }) => {
    for (const done of [0, 50, 100]) progress.report(done, 100, "halfway or not");
    return "Done.";
  }),
  answering("test_logging_tool", ({ log }) => {
    log.debug("A log line that no client asked for.");
    return "Logged.";
  }),
  {
    ...answering("test_streaming_elicitation", () => "Agreed."),
    question: async () => ({ message: "Agree?", fields: { agree: { kind: "confirm", label: "Agree?" } } }),
  },
];

export const SUITE_RESOURCES: readonly Resource[] = [
  { name: "static-text", uri: "test://static-text", verb: "test_simple_text", description: "A text." },
  {
    name: "template",
    uri: "test://template/{id}/data",
    verb: "test_simple_text",
    description: "A text by its number.",
  },
];

export const SUITE_PROMPTS: readonly Prompt[] = [
  { name: "test_simple_prompt", verb: "test_simple_text", description: "A prompt without arguments." },
];
