import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  type Decided,
  decisionReader,
  opposesDecision,
  prepareStatement,
} from "../../../src/logic/decisions/opposes-decision.ts";

const JOBS = { subject: "background jobs", text: "BullMQ with Redis" };
const TTL = { subject: "session lifetime", text: "Sessions end after 30 minutes of silence" };
const AUTH = { subject: "auth", text: "Passwords must be enabled for staff" };

const DATABASE = { subject: "primary database", text: "Use PostgreSQL as the primary database" };
const DEPLOY = { subject: "deployment", text: "We deploy with Helm to one cluster" };
const BRANCH = { subject: "main branch", text: "The main branch takes squash merges from Gerrit" };
const MERGES = { subject: "main branch", text: "The main branch takes squash merges only" };
const EVENTS = { subject: "event bus", text: "Kafka carries all events between services" };
const ORDER = { subject: "releases", text: "Deploy every release on Tuesday" };
const TESTS = { subject: "tests", text: "Vitest for all tests" };
const TOKENS = { subject: "auth", text: "JWT with refresh rotation", rejected: ["cookies", "server-side sessions"] };
const PORT = { subject: "proxy port", text: "The proxy port is 81" };

const cases: [decision: Decided, statement: string, reason: string | null][] = [
  [JOBS, "Background jobs run on RabbitMQ workers", "names RabbitMQ where the decision says BullMQ with Redis"],
  [JOBS, "Use Celery for background jobs", "names Celery where the decision says BullMQ with Redis"],
  [JOBS, "use celery for background jobs", "names celery where the decision says BullMQ with Redis"],
  [JOBS, "All background jobs are powered by Temporal", "names Temporal where the decision says BullMQ with Redis"],
  [JOBS, "Background jobs are handled by Mira", null],
  [JOBS, "Background jobs were migrated in March", null],
  [JOBS, "Use Grafana for background jobs", null],
  [JOBS, "Background jobs use Node 22", null],
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
  [JOBS, "We don't use Celery for background jobs", null],
  [JOBS, "We stopped using Celery for background jobs", null],
  [JOBS, "Background jobs were handled by Celery until 2023", null],
  [JOBS, "Background jobs are written in Go", null],
  [JOBS, "Background jobs use UTC timestamps", null],
  [JOBS, "Background jobs are on PagerDuty", null],
  [JOBS, "Background jobs moved from Celery to BullMQ", null],
  [JOBS, "Background jobs moved from Celery to Temporal", "names Temporal where the decision says BullMQ with Redis"],
  [JOBS, "We have not moved background jobs off BullMQ", null],
  [JOBS, "If we dropped BullMQ, background jobs would be lost", null],
  [JOBS, "We removed the BullMQ dashboard for background jobs", null],
  [TOKENS, "Auth is now done with cookies", "names cookies, which was rejected for JWT with refresh rotation"],
  [TOKENS, "Refresh works through cookies", "names cookies, which was rejected for JWT with refresh rotation"],
  [TOKENS, "Auth does not use cookies", null],
  [TOKENS, "The office has cookies on Friday", null],
  [TOKENS, "Auth could have used cookies", null],
  [DEPLOY, "We removed the flaky deploy check from the cluster", null],
  [DEPLOY, "We removed the Helm chart of the old cluster", null],
  [DEPLOY, "We dropped Helm, every cluster has plain manifests", "gives up Helm, which the decision chose"],
  [BRANCH, "The branch was removed after the squash merge", null],
  [ORDER, "Deploy keys for the release bot were removed", null],
  [EVENTS, "The billing service reads its events from Kafka", null],
  [EVENTS, "The billing service now reads its events from Kafka", null],
  [EVENTS, "Services have moved their events from Kafka to NATS", "gives up Kafka, which the decision chose"],
  [EVENTS, "We now copy all events from Kafka to S3", null],
  [EVENTS, "We removed Kafka from the laptop setup of the services team", null],
  [EVENTS, "Services no longer accept events of Kafka 2 clients", null],
  [EVENTS, "Services no longer use Kafka for events", "gives up Kafka, which the decision chose"],
  [EVENTS, "We left Kafka in the list of services", null],
  [EVENTS, "We upgraded the services from Kafka 2 to Kafka 3", null],
  [EVENTS, "We removed Kafka Connect from all services", null],
  [EVENTS, "The event bus runs on Kubernetes", null],
  [EVENTS, "The event bus is Anna's", null],
  [EVENTS, "The event bus is Pulsar", "names Pulsar where the decision says Kafka carries all events between services"],
  [MERGES, "The main branch no longer takes merges from forks", null],
  [DATABASE, "PostgreSQL stores the order history of the database", null],
  [DATABASE, "We migrated the primary database from MySQL to PostgreSQL", null],
  [DATABASE, "We migrated the primary database from MySQL 8 to PostgreSQL 16", null],
  [DATABASE, "We replaced MySQL with PostgreSQL as the primary database", null],
  [DATABASE, "We changed the primary database: MySQL → PostgreSQL", null],
  [DATABASE, "We changed the primary database: PostgreSQL → MySQL", "gives up PostgreSQL, which the decision chose"],
  [DATABASE, "Use MongoDB for the primary database", "names MongoDB where the decision says Use PostgreSQL as the primary database"], // prettier-ignore
  [TESTS, "Vitest replaced Mocha for our tests", null],
  [TESTS, "Mocha was replaced by Vitest for our tests", null],
  [TESTS, "Mocha replaced Vitest for our tests", "gives up Vitest, which the decision chose"],
  [TESTS, "Vitest was replaced by Mocha for our tests", "gives up Vitest, which the decision chose"],
  [PORT, "The proxy port was raised from 80 to 81", null],
  [PORT, "The proxy port was raised from 81 to 82", "has another number where the decision says The proxy port is 81"],
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
  test("one reader judges many statements, one statement many decisions", () => {
    const statement = prepareStatement("Background jobs have moved off BullMQ");
    const read = decisionReader(JOBS);
    assert.deepEqual(
      [read(statement), read(prepareStatement("Use tabs")), read(statement), decisionReader(TESTS)(statement)],
      ["gives up BullMQ, which the decision chose", null, "gives up BullMQ, which the decision chose", null],
    );
  });
  test("never fails", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 200 });
    fc.assert(
      fc.property(text, text, text, (subject, decided, statement) => {
        const reason = opposesDecision({ subject, text: decided }, statement);
        assert.ok(reason === null || reason.length > 0);
      }),
    );
  });
});

const name = fc.constantFrom(
  ..."PostgreSQL MySQL Vitest Mocha Kafka NATS Redis Heroku Helm Yarn Bun Fly.io".split(" "),
);
const names = fc.tuple(name, name).filter(([one, two]) => one !== two);
const subject = fc.constantFrom("primary database", "tests", "event bus", "package manager", "background jobs");

const decisions: ((chosen: string, other: string, of: string) => string)[] = [
  (chosen) => chosen,
  (chosen, _, of) => `${chosen} for the ${of}`,
  (chosen, _, of) => `Use ${chosen} as the ${of}`,
  (chosen, _, of) => `We use ${chosen} for the ${of}.`,
  (chosen, other, of) => `We replaced ${other} with ${chosen} as the ${of}.`,
  (chosen, other, of) => `The ${of} moved from ${other} to ${chosen}`,
  (chosen, other, of) => `We dropped ${other} and use ${chosen} for the ${of}`,
  (chosen, other, of) => `Use ${chosen} instead of ${other} for the ${of}`,
];
/** Each says that the choice was made; with the names exchanged, that it was given up. */
const confirmations: typeof decisions = [
  (chosen, other, of) => `We migrated the ${of} from ${other} to ${chosen}`,
  (chosen, other, of) => `We have moved the ${of} off ${other} to ${chosen}.`,
  (chosen, other, of) => `We replaced ${other} with ${chosen} for the ${of}`,
  (chosen, other, of) => `${chosen} replaced ${other} for the ${of}.`,
  (chosen, other, of) => `${other} was replaced by ${chosen} for the ${of}`,
  (chosen, other, of) => `The ${of} was changed: ${other} → ${chosen}`,
];
const statement = fc.constantFrom(...decisions, ...confirmations);

describe("a decision made of known words", () => {
  test("opposes neither itself nor what confirms it", () => {
    fc.assert(
      fc.property(names, subject, fc.constantFrom(...decisions), statement, ([chosen, other], of, decide, say) => {
        const text = decide(chosen, other, of);
        assert.equal(opposesDecision({ subject: of, text }, text), null);
        assert.equal(opposesDecision({ subject: of, text }, say(chosen, other, of)), null, say(chosen, other, of));
      }),
    );
  });
  test("is opposed by the same change in the other direction", () => {
    fc.assert(
      fc.property(names, subject, fc.constantFrom(...confirmations), ([chosen, other], of, say) => {
        const text = `Use ${chosen} for the ${of}`;
        const reason = opposesDecision({ subject: of, text }, say(other, chosen, of));
        assert.equal(reason, `gives up ${chosen}, which the decision chose`, say(other, chosen, of));
      }),
    );
  });
});
