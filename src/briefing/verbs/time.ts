/** Tell the time, or when something is. */
import * as z from "zod";
import { timeWords } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { shortText } from "../../text/text.ts";
import { tellTime } from "../../time/read-time.ts";
import { TimeAnchor } from "../../time/time-anchor.ts";

export default defineOperation({
  name: "time",
  group: "session",
  summary:
    "Tell the time and the boundaries of the day and the week, now or at the time an expression names, in any zone.",
  effect: "read",
  repeatable: true,
  input: z.object({
    expression: timeWords
      .optional()
      .describe('What to resolve, such as "next monday", "in two weeks" or "March 3 at noon"; now when omitted.'),
    at: timeWords.optional().describe("The moment from which it counts; now when omitted."),
    zone: shortText(100).optional().describe("Name of a time zone, such as Europe/Berlin; yours when omitted."),
  }),
  output: TimeAnchor.extend({
    resolved: z
      .object({
        expression: z.string(),
        start: z.string(),
        end: z.string().describe("The first moment after it; equal to the start for a moment."),
      })
      .nullable()
      .describe("The span that the expression means, such as a whole day; the other fields are about its moment."),
  }),
  cli: {
    positional: ["expression"],
    examples: [
      "stele time",
      'stele time "next monday at 9am"',
      "stele time --at 2026-02-25T19:30:00Z --zone America/New_York",
    ],
  },
  run: async (input, world) => tellTime(input, world),
  render: ({ timeOfDay, date, timezone, utcOffset, weekNumber, iso, epochMs, resolved, ...bounds }) =>
    [
      `${timeOfDay}, ${date}, week ${weekNumber}, ${timezone} (${utcOffset})`,
      `  ${iso}, ${epochMs}`,
      ...(resolved && resolved.start !== resolved.end ? [`  spans ${resolved.start} to ${resolved.end}`] : []),
      `  day ${bounds.startOfDay} to ${bounds.endOfDay}, week ${bounds.startOfWeek} to ${bounds.endOfWeek}`,
    ].join("\n"),
});
