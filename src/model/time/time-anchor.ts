/** TimeAnchor: one moment with everything that a caller would otherwise compute from it, wrongly near a clock change. */
import * as z from "zod";

const moment = z.int();

export const TimeAnchor = z.object({
  epochMs: moment.describe("Milliseconds since 1970, like all boundaries below."),
  iso: z.string().describe("In the zone, with its offset."),
  timezone: z.string(),
  utcOffset: z.string().describe("Such as -05:00, at this moment."),
  timeOfDay: z.string().describe("Such as 2:30 PM."),
  date: z.string().describe("Such as Wednesday, February 25, 2026."),
  dateShort: z.string().describe("Such as Feb 25."),
  dayOfWeek: z.string(),
  isWeekend: z.boolean(),
  weekNumber: z.int().describe("By ISO 8601."),
  startOfDay: moment,
  endOfDay: moment.describe("The last millisecond of the day."),
  startOfNextDay: moment,
  startOfYesterday: moment,
  startOfWeek: moment.describe("Weeks begin on Monday."),
  endOfWeek: moment.describe("The last millisecond of Sunday."),
  startOfNextWeek: moment,
});
export type TimeAnchor = z.infer<typeof TimeAnchor>;
