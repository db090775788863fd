import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type Decided, decisionReader, prepareStatement } from "../../src/decisions/opposes-decision.ts";

const opposesDecision = (decision: Decided, statement: string): string | null =>
  decisionReader(decision)(prepareStatement(statement));

const JOBS = { subject: "background jobs", text: "BullMQ with Redis" };
const TTL = { subject: "session lifetime", text: "Sessions end after 30 minutes of silence" };
const AUTH = { subject: "auth", text: "Passwords must be enabled for staff" };
const TOKENS = { subject: "auth", text: "JWT with refresh rotation", rejected: ["cookies", "server-side sessions"] };

const cases: [decision: Decided, statement: string, reason: string | null][] = [
  [JOBS, "Background jobs run on RabbitMQ workers", null],
  [JOBS, "", null],
  [TOKENS, "Refresh works through cookies", "names cookies, which was rejected for JWT with refresh rotation"],
  [TOKENS, "Auth does not use cookies", null],
  [TOKENS, "The office has cookies on Friday", null],
  [TTL, "Sessions end after 30 minutes of silence", null],
  [TTL, "Sessions end after 60 minutes of silence", "says otherwise where the decision says Sessions end after 30 minutes of silence"], // prettier-ignore
  [AUTH, "Passwords must be disabled for staff", "says otherwise where the decision says Passwords must be enabled for staff"], // prettier-ignore
  [AUTH, "Passwords must never be enabled for staff", "says otherwise where the decision says Passwords must be enabled for staff"], // prettier-ignore
];
for (const [decision, statement, reason] of cases)
  test(`${decision.subject}: ${statement} → ${reason}`, () =>
    assert.equal(opposesDecision(decision, statement), reason));

test("a decision never opposes itself, and nothing makes it fail", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 200 });
  fc.assert(
    fc.property(text, text, text, (subject, decided, statement) => {
      assert.equal(opposesDecision({ subject, text: decided }, decided), null);
      const reason = opposesDecision({ subject, text: decided }, statement);
      assert.ok(reason === null || reason.length > 0);
    }),
  );
});
