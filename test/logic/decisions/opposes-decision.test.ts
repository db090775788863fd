import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { opposesDecision } from "../../../src/logic/decisions/opposes-decision.ts";

const JOBS = { subject: "background jobs", text: "BullMQ with Redis" };
const TTL = { subject: "session lifetime", text: "Sessions end after 30 minutes of silence" };
const AUTH = { subject: "auth", text: "Passwords must be enabled for staff" };

const cases: [decision: typeof JOBS, statement: string, reason: string | null][] = [
  [JOBS, "Background jobs run on RabbitMQ workers", "names RabbitMQ where the decision says BullMQ with Redis"],
  [JOBS, "Use Celery for background jobs", "names Celery where the decision says BullMQ with Redis"],
  [JOBS, "use celery for background jobs", "names celery where the decision says BullMQ with Redis"],
  [JOBS, "All background jobs are handled by Temporal", "names Temporal where the decision says BullMQ with Redis"],
  [JOBS, "Background jobs have moved off BullMQ", "gives up BullMQ, which the decision chose"],
  [JOBS, "BullMQ was phased out, background jobs are a cron file", "gives up BullMQ, which the decision chose"],
  [JOBS, "Background jobs are retried three times", null],
  [JOBS, "The background job dashboard runs on port 3001", null],
  [JOBS, "Background jobs use Sentry for error reports", null],
  [JOBS, "Background jobs run on BullMQ 5", null],
  [JOBS, "Nightly background jobs run on Airflow", null],
  [JOBS, "BullMQ was upgraded for background jobs", null],
  [JOBS, "The session store moved off Redis", null],
  [JOBS, "The image service moved off BullMQ", null],
  [JOBS, "", null],
  [TTL, "The session lifetime is 30 minutes of silence", null],
  [AUTH, "For auth, passwords must be disabled for staff", "says the opposite where the decision says Passwords must be enabled for staff"], // prettier-ignore
];

describe("a statement and a decision", () => {
  for (const [decision, statement, reason] of cases) {
    test(`${decision.subject}: ${statement} → ${reason}`, () =>
      assert.equal(opposesDecision(decision, statement), reason));
  }
  test("a proposal on the same subject opposes it by another name", () => {
    assert.equal(
      opposesDecision(JOBS, "Celery with RabbitMQ", "background job"),
      "names Celery where the decision says BullMQ with Redis",
    );
    assert.equal(opposesDecision(JOBS, "Celery with RabbitMQ", "image resizing"), null);
    assert.equal(opposesDecision(JOBS, "BullMQ with Valkey", "background jobs"), null);
  });
  test("never fails, and a decision never opposes itself", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 200 });
    fc.assert(
      fc.property(text, text, text, (subject, decided, statement) => {
        const reason = opposesDecision({ subject, text: decided }, statement);
        assert.ok(reason === null || reason.length > 0);
        assert.equal(opposesDecision({ subject, text: decided }, decided), null);
      }),
    );
  });
});
