import assert from "node:assert/strict";
import { test } from "node:test";
import { type Change, changeIn, isPast } from "../../../src/logic/text/change-words.ts";

const cases: [string, Change][] = [
  ["Jobs now run on Kafka", "certain"],
  ["Jobs no longer run on Kafka", "certain"],
  ["We switched to Kafka", "certain"],
  ["Jobs have been migrated to Kafka", "certain"],
  ["Kafka replaced RabbitMQ", "certain"],
  ["The limit was raised from 5 to 9", "certain"],
  ["Since June jobs run on Kafka", "certain"],
  ["As of 3.2 jobs run on Kafka", "certain"],
  ["Jobs used to run on RabbitMQ", "certain"],
  ["Jobs run on Kafka instead of RabbitMQ", "possible"],
  ["The limit was set to 9 last week", "possible"],
  ["We ditched Kafka", "certain"],
  ["Jobs run on Kafka", null],
  ["Jobs run after the backup", null],
  ["Kafka is used to run jobs", null],
  ["Files are moved to the archive after a year", null],
  ["Never move a running job", null],
  ["Retry, since the broker may be busy", null],
  ["No more than five jobs run at once", null],
  ["It has never changed", null],
  ["Die Jobs laufen inzwischen auf Kafka", "certain"],
  ["Les jobs tournent désormais sur Kafka", "certain"],
  ["Los trabajos ya no usan Kafka", "certain"],
  ["Os jobs agora usam Kafka", "certain"],
  ["任务改用 Kafka", "certain"],
  ["任务使用 Kafka", null],
  ["The client gives up after 9 seconds", null],
];
for (const [text, change] of cases) test(`${text}: ${change}`, () => assert.equal(changeIn(text), change));

const past: [string, boolean][] = [
  ["The proxy previously listened on port 80", true],
  ["Jobs used to run on Kafka", true],
  ["The limit went up to 9, it used to be 5", false],
  ["Jobs previously ran on Kafka and now on NATS", false],
];
for (const [text, expected] of past) test(`only past: ${text}`, () => assert.equal(isPast(text), expected));
