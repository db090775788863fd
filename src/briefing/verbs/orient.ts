/** Orient a session: where it stands, what changed, what holds. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import { orient } from "../orient.ts";
import { Orientation, orientationText } from "../orientation.ts";

export default defineOperation({
  name: "orient",
  group: "session",
  summary:
    "Show where things stand at the start of a session: project, branch, date and time, what changed since the last session, decisions in force, proposals, open problems.",
  effect: "read",
  repeatable: true,
  input: z.object({}),
  output: Orientation,
  cli: { examples: ["stele orient", "stele orient --json"] },
  run: async (_, world) => orient(world),
  render: (orientation, { zone }) => orientationText(orientation, zone),
});
