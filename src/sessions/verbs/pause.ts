/** Stop capturing in this project. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import { pauseCapture } from "../pause.ts";

export default defineOperation({
  name: "pause",
  group: "session",
  summary: "Stop capturing in this project until `resume`: hooks then record nothing. What was captured stays.",
  effect: "write",
  repeatable: true,
  input: z.object({}),
  output: z.object({ status: z.enum(["paused", "unchanged"]) }),
  cli: { examples: ["stele pause"] },
  run: async (_, world) => ({ status: await pauseCapture(world) }),
  render: ({ status }) =>
    status === "paused"
      ? "Paused: hooks record nothing in this project until you run `stele resume`."
      : "It is paused already; `stele resume` ends that.",
});
