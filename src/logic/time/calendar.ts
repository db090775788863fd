/**
 * The calendar, without zones: a day is a number, counted from 1 January 1970.
 *
 * Weeks begin on Monday, and the first week of a year is the one with its first Thursday (ISO 8601). Months count from 0,
 * as everywhere in the language.
 */
import { DAY_MS } from "../../model/duration.ts";

export interface CivilDate {
  year: number;
  month: number;
  day: number;
}

/** Days in a row. */
export interface DaySpan {
  first: number;
  days: number;
}

/** Days and months beyond the end are counted on into the next month or year. */
export const dayNumber = (year: number, month: number, day: number): number =>
  new Date(0).setUTCFullYear(year, month, day) / DAY_MS;

/** Null if the calendar has no such day. */
export function existingDay(year: number, month: number, day: number): number | null {
  const number = dayNumber(year, month, day);
  const found = dateOfDay(number);
  return found.month === month && found.day === day ? number : null;
}

export function dateOfDay(number: number): CivilDate {
  const date = new Date(number * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

/** 0 on Monday, 6 on Sunday. */
export const weekdayOf = (number: number): number => (((number + 3) % 7) + 7) % 7;

/** The same day some months later; the last of the month if that has no such day. */
export function monthsLater(number: number, months: number): number {
  const { year, month, day } = dateOfDay(number);
  const last = dayNumber(year, month + months + 1, 0);
  return Math.min(dayNumber(year, month + months, day), last);
}

export function isoWeekOf(number: number): number {
  const thursday = number - weekdayOf(number) + 3;
  return Math.floor((thursday - dayNumber(dateOfDay(thursday).year, 0, 1)) / 7) + 1;
}

/** The Monday of a week; null if the year has no such week. */
export function mondayOfWeek(year: number, week: number): number | null {
  const fourth = dayNumber(year, 0, 4);
  const monday = fourth - weekdayOf(fourth) + (week - 1) * 7;
  return isoWeekOf(monday) === week ? monday : null;
}
