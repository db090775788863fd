import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { writtenDate } from "../../src/time/dates-in-text.ts";

const dates: [string, string | null][] = [
  ["2024-03-09", "2024-03-09"],
  ["accepted on 2024/3/9, at noon", "2024-03-09"],
  ["* 2024 Mar 09: first draft", "2024-03-09"],
  ["2024 March 9", "2024-03-09"],
  ["9 March 2024", "2024-03-09"],
  ["09-Sept-2024", "2024-09-09"],
  ["March 9th, 2024", "2024-03-09"],
  ["Mar, 9, 2024", "2024-03-09"],
  ["21st May 2024", "2024-05-21"],
  ["19.03.2024", "2024-03-19"],
  ["04.05.2024", "2024-05-04"],
  ["04-05-2024", "2024-05-04"],
  ["19/03/2024", "2024-03-19"],
  ["03/19/2024", "2024-03-19"],
  ["04/04/2024", "2024-04-04"],
  ["04/05/2024", null],
  ["2024-02-30", null],
  ["2023-02-29", null],
  ["2024-02-29", "2024-02-29"],
  ["2024-13-01", null],
  ["120240-03-09", null],
  ["2024-03-091", null],
  ["March 2024", null],
  ["version 1.2.3", null],
  ["", null],
];
for (const [text, date] of dates)
  test(`${JSON.stringify(text)} → ${date}`, () => assert.equal(writtenDate(text), date));

test("every day is read back, however it is written", () => {
  const day = fc.date({ min: new Date("1900-01-01"), max: new Date("2999-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      const iso = date.toISOString().slice(0, 10);
      const [year, month, number] = iso.split("-");
      const name = date.toLocaleString("en", { month: "long", timeZone: "UTC" });
      const written = [iso, `${number}.${month}.${year}`, `${name} ${number}, ${year}`, `${year} ${name} ${number}`];
      for (const text of written) assert.equal(writtenDate(`on ${text}: done`), iso, text);
    }),
  );
});
