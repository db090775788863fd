/** Describes one instant in a zone, with the boundaries of its day and week. */
import * as z from "zod";
import { dateOfDay, DAY_MS, isoWeekOf, localDay, startOfDay, weekdayOf, type Zone } from "./calendar.ts";
import { MONTHS, WEEKDAYS } from "./phrases.ts";

/** TimeAnchor: one moment with everything that a caller would otherwise compute from it, wrongly near a clock change. */
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

export function timeAnchor(at: number, zone: Zone): TimeAnchor {
  const offset = zone.offsetMs(at);
  const local = at + offset;
  const today = Math.floor(local / DAY_MS);
  const { year, month, day } = dateOfDay(today);
  const [weekday, monthName] = [capital(WEEKDAYS[weekdayOf(today)]!), capital(MONTHS[month]!)];
  const monday = today - weekdayOf(today);
  const dayStart = startOfDay(today, zone);
  const nextDay = startOfDay(today + 1, zone, at);
  const nextWeek = startOfDay(monday + 7, zone, at);
  return {
    epochMs: at,
    iso: isoIn(local, offset),
    timezone: zone.name,
    utcOffset: offsetText(offset),
    timeOfDay: timeOfDay(local),
    date: `${weekday}, ${monthName} ${day}, ${year}`,
    dateShort: `${monthName.slice(0, 3)} ${day}`,
    dayOfWeek: weekday,
    isWeekend: weekdayOf(today) >= 5,
    weekNumber: isoWeekOf(today),
    startOfDay: dayStart,
    endOfDay: nextDay - 1,
    startOfNextDay: nextDay,
    // A zone may skip a whole day, so the day before is not always one less.
    startOfYesterday: startOfDay(localDay(dayStart - 1, zone), zone),
    startOfWeek: startOfDay(monday, zone),
    endOfWeek: nextWeek - 1,
    startOfNextWeek: nextWeek,
  };
}

export const isoTimeIn = (at: number, zone: Zone): string => {
  const offset = zone.offsetMs(at);
  return isoIn(at + offset, offset);
};

const isoIn = (local: number, offset: number): string => new Date(local).toISOString().replace("Z", offsetText(offset));

function offsetText(offset: number): string {
  const seconds = Math.abs(offset) / 1_000;
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts.slice(0, parts[2] === 0 ? 2 : 3).map((part) => `${part}`.padStart(2, "0"));
  return `${offset < 0 ? "-" : "+"}${shown.join(":")}`;
}

function timeOfDay(local: number): string {
  const date = new Date(local);
  const hours = date.getUTCHours();
  return `${hours % 12 || 12}:${`${date.getUTCMinutes()}`.padStart(2, "0")} ${hours < 12 ? "AM" : "PM"}`;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
