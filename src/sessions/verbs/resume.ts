/** Capture again in this project. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import { resumeCapture } from "../pause.ts";

export default defineOperation({
  name: "resume",
  group: "session",
  summary: "Capture again in this project after `pause`.",
  effect: "write",
  begins: false,
  repeatable: true,
  input: z.object({}),
  output: z.object({
    status: z.enum(["resumed", "unchanged"]),
    enabled: z.boolean().describe("false: the setting capture.enabled is off, so that nothing is captured anyway."),
    reader: z.boolean().describe("true: you may only read what the team shares, so that nothing is captured anyway."),
  }),
  cli: { examples: ["stele resume"] },
  run: async (_, world) => ({
    status: await resumeCapture(world),
    enabled: world.settings.capture.enabled === "on",
    reader: await world.spool.isReader(),
  }),
  render: ({ status, enabled, reader }) =>
    [
      status === "unchanged"
        ? "It was not paused."
        : enabled && !reader
          ? "Resumed: hooks record again in this project."
          : "Resumed.",
      ...(reader ? ["You may only read what the team shares, so hooks still record nothing in this project."] : []),
      ...(enabled ? [] : ["The setting capture.enabled is off, so nothing is captured in any project."]),
    ].join("\n"),
});
