/** Capture again in this project. */
import * as z from "zod";
import { resumeCapture } from "../../engine/capture/pause.ts";
import { defineOperation } from "../operation.ts";

export default defineOperation({
  name: "resume",
  group: "session",
  summary: "Capture again in this project after `pause`.",
  effect: "write",
  repeatable: true,
  input: z.object({}),
  output: z.object({
    status: z.enum(["resumed", "unchanged"]),
    enabled: z.boolean().describe("false: the setting capture.enabled is off, so that nothing is captured anyway."),
  }),
  cli: { examples: ["stele resume"] },
  run: async (_, world) => ({
    status: await resumeCapture(world),
    enabled: world.settings.capture.enabled === "on",
  }),
  render: ({ status, enabled }) =>
    [
      status === "resumed" ? "Resumed: hooks record again in this project." : "It was not paused.",
      ...(enabled ? [] : ["The setting capture.enabled is off, so nothing is captured in any project."]),
    ].join("\n"),
});
