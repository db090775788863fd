/**
 * The time that counts for steps which cannot be undone.
 *
 * A clock may be far ahead for a while, and erasing goes by a clock. So what is final goes by a time that an earlier
 * maintenance noted and that the clock has confirmed by moving on for a day. A noted time after now was wrong.
 */
import type { ClockMarks } from "../../model/care/clock-marks.ts";
import { DAY_MS } from "../../model/duration.ts";

/** The marks once maintenance runs at this time. */
export function marksAt(marks: ClockMarks, now: number): ClockMarks {
  const [settledAt, pendingAt] = [unlessAfter(marks.settledAt, now), unlessAfter(marks.pendingAt, now)];
  if (pendingAt === null) return { settledAt, pendingAt: now };
  return now - pendingAt < DAY_MS ? { settledAt, pendingAt } : { settledAt: pendingAt, pendingAt: now };
}

const unlessAfter = (at: number | null, now: number): number | null => (at !== null && at > now ? null : at);
