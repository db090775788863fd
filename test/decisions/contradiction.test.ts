import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  comparedStems,
  comparedTerms,
  type Conflict,
  conflictsWith,
  energyOf,
  levelOf,
  mayContradict,
  readingOf,
} from "../../src/decisions/contradiction.ts";
import { jaccard } from "../../src/text/words.ts";
import { runs } from "../lane.ts";

/** Of one subject, everything that differs is told with its energy. */
const energy = (one: string, two: string): number =>
  conflictsWith({ subject: "s", decision: one }, [{ id: "1", subject: "s", decision: two }])[0]?.energy ?? 0;

const energies: [string, string, number, string][] = [
  ["Requests must be logged", "Requests are never logged", 0.8, "must and never, half of the words shared"],
  ["Always squash commits", "Don't squash commits", 0.6 + 0.4 * (2 / 5), "always and don't, of which t is a word"],
  ["Always squash commits", "Do not squash commits", 0.6 + 0.4 * (2 / 3), "do not is don't"],
  ["Always squash", "Doesn’t squash", 0.6 + 0.4 * (1 / 4), "another apostrophe"],
  ["Enable telemetry", "Telemetry is disabled", 0.6 + 0.4 * (1 / 3), "enable and disable, in any form"],
  ["Guests are allowed", "Deny guests", 0.6 + 0.4 * (1 / 3), "allow and deny"],
  ["Reviews are required", "Reviews are forbidden", 0.6 + 0.4 * (1 / 3), "require and forbid"],
  ["Include sources", "Sources excluded", 0.6 + 0.4 * (1 / 3), "include and exclude"],
  ["Add a cache", "Remove the cache", 0.6 + 0.4 * (1 / 3), "add and remove"],
  ["Adding caches", "caches were removed", 0.6 + 0.4 * (1 / 3), "adding and removed"],
  ["Allow guests", "Delete cookies never", 0, "words of two pairs do not oppose"],
  ["We must wait", "Never", 0.6, "opposites without a word in common"],
  ["Keys must never leave", "Keys must leave", 0.6 + 0.4 * (3 / 4), "must never is on never's side"],
  ["Keys must never leave", "Keys never leave", 0.4 * (3 / 4), "and agrees with never"],
  ["Keys shall not leave", "Keys must always leave", 0.6 + 0.4 * (2 / 5), "a negation in any form"],
  ["Keys must not leave, ever", "Keys must never leave", 0.4 * (3 / 5), "two negations agree"],
  ["Keys shall not leave", "Doors should open at noon", 0, "about different things most opposites mean nothing"],
  ["The requirement", "Forbid it", 0, "a noun demands nothing"],
  ["Mustard is exclusive", "Nevertheless, include it", 0, "parts of words are no words"],
  ["Use Redis", "Use Redis", 0, "equal texts do not contradict each other"],
  ["Must not, never", " MUST NOT,  never\n", 0, "nor with other spaces and case"],
  ["", "", 0, "nothing"],
  ["Use Redis for sessions", "Do not use Redis for sessions", 0.4, "the same words"],
];
for (const [one, two, amount, why] of energies)
  test(`energy of ${JSON.stringify(one)} and ${JSON.stringify(two)}: ${why}`, () => {
    assert.ok(Math.abs(energy(one, two) - amount) < 0.0001, `${energy(one, two)}`);
  });

/** Level of the conflict, or null when there is none. */
const conflicts: [string, [string, string], [string, string], Conflict["level"] | null][] = [
  ["the same again", ["auth", "JWT with rotation"], ["auth", "JWT with rotation"], null],
  ["another answer for the same subject", ["auth", "Session cookies"], ["auth", "JWT with rotation"], "warn"],
  ["another subject", ["cache", "Session cookies"], ["auth", "JWT with rotation"], null],
  ["opposite orders", ["logs", "Requests must be logged"], ["logs", "Requests are never logged"], "reject"],
  [
    "even where the subject is called otherwise",
    ["a", "Requests must be logged"],
    ["b", "Never log requests"],
    "reject",
  ],
  ["opposites about different things", ["logs", "We must log requests"], ["git", "Never push to main"], null],
  ["a negation", ["a", "Deploy the site on Friday"], ["b", "Do not deploy the site on Friday"], "warn"],
  ["no longer", ["a", "Ship the site with Docker"], ["b", "No longer ship the site with Docker"], "warn"],
  ["stop", ["a", "Ship a nightly build of the site"], ["b", "Stop shipping a nightly build of the site"], "warn"],
  ["stop, with no other word in its place", ["a", "we ship a build"], ["b", "we stop, ship a build"], "warn"],
  ["three of four words", ["a", "Keys must never leave"], ["b", "Keys never leave"], "warn"],
  ["two of three words", ["a", "Keys never leave"], ["b", "Keys leave"], "warn"],
  ["two of three plain words", ["a", "Keys leave soon"], ["b", "keys leave"], null],
  ["opposites, one of four words", ["a", "Always squash"], ["b", "Doesn’t squash"], "reject"],
  ["opposites, one of five words", ["a", "Always squash it"], ["b", "squash? well, don't"], "warn"],
  ["without", ["a", "Build the site with a cache"], ["b", "Build the site without a cache"], "warn"],
  ["a changed number", ["a", "The server listens on port 8080"], ["b", "The server listens on port 9090"], "warn"],
  ["a number more", ["a", "The server listens on a free port"], ["b", "The server listens on port 9090"], null],
  ["a changed version", ["a", "Build the site on Node 22.13"], ["b", "Build the site on Node 22.14"], "warn"],
  ["a changed name", ["a", "The session store is Redis"], ["b", "The session store is Kafka"], "warn"],
  ["a name more", ["a", "The session store of open orders"], ["b", "The session store of orders in Berlin"], null],
];
for (const [name, [subject, decision], [heldSubject, held], level] of conflicts)
  test(`conflict: ${name} → ${level}`, () => {
    const found = conflictsWith({ subject, decision }, [{ id: "1", subject: heldSubject, decision: held }]);
    const expected = level ? [{ id: "1", decision: held, energy: energy(decision, held), level }] : [];
    assert.deepEqual(found, expected);
  });

test("the strongest conflict comes first, equals by id", () => {
  const held = [
    { id: "b", subject: "logs", decision: "Keep them for a week" },
    { id: "a", subject: "logs", decision: "Files rotate daily" },
    { id: "c", subject: "logs", decision: "Requests are never logged" },
  ];
  const found = conflictsWith({ subject: "logs", decision: "Requests must be logged" }, held);
  assert.deepEqual(
    found.map(({ id, level }) => [id, level]),
    [
      ["c", "reject"],
      ["a", "warn"],
      ["b", "warn"],
    ],
  );
});

const word = fc.constantFrom(
  "must",
  "never",
  "always",
  "don't",
  "allow",
  "denied",
  "Redis",
  "Kafka",
  "8080",
  "the",
  "log",
);
const text = fc.oneof(
  fc.array(word, { maxLength: 8 }).map((parts) => parts.join(" ")),
  fc.string({ unit: "grapheme" }),
);

test("energy is the same both ways, lies between 0 and 1, and follows the formula", () => {
  fc.assert(
    fc.property(text, text, (one, two) => {
      const amount = energy(one, two);
      assert.equal(amount, energy(two, one));
      assert.equal(energy(one, one), 0);
      const rest = amount - 0.4 * jaccard(one, two);
      const isFormula = Math.abs(rest) < 0.0001 || Math.abs(rest - 0.6) < 0.0001;
      assert.ok(amount === 0 || (isFormula && amount <= 1), `${amount}`);
    }),
  );
});

test("everything else said of the subject is a conflict, and no level is below its energy", () => {
  const held = fc.array(fc.record({ subject: fc.constantFrom("auth", "Auth", "cache"), decision: text }));
  fc.assert(
    fc.property(text, held, (decision, standing) => {
      const holding = standing.map((one, index) => ({ ...one, id: `${index}`.padStart(3, "0") }));
      const found = conflictsWith({ subject: "auth", decision }, holding);
      const ids = new Set(found.map(({ id }) => id));
      for (const one of holding) {
        const isSame = one.decision.trim() === decision.trim();
        if (isSame) assert.ok(!ids.has(one.id));
        else if (one.subject !== "cache" && energy(decision, one.decision) > 0) assert.ok(ids.has(one.id));
      }
      for (const { energy: amount, level } of found) assert.equal(level, amount >= 0.7 ? "reject" : "warn");
      const order = found.toSorted((a, b) => b.energy - a.energy || (a.id < b.id ? -1 : 1));
      assert.deepEqual(found, order);
    }),
  );
});

test("what may contradict is looked for by its rarest words, as far as they lead", () => {
  const text = "Redis sessions expire nightly";
  assert.deepEqual(comparedStems(text), ["redi", "session", "expir", "nightli"]);
  const among = (...counts: number[]) =>
    comparedTerms(text, new Map(comparedStems(text).map((stem, index) => [stem, counts[index] ?? 0])));
  assert.deepEqual(among(3, 2, 1), ["expire", "sessions", "redis"], "a word that nobody has leads nowhere");
  assert.deepEqual(among(900, 100, 1), ["expire", "sessions"]);
  assert.deepEqual(among(899, 100, 1), ["expire", "sessions", "redis"]);
  assert.deepEqual(among(5_000, 4_000), ["sessions"], "one is looked for however common it is");
  assert.deepEqual(among(), []);
});

test("what is worth a warning is never passed over", () => {
  const text = fc
    .array(fc.constantFrom("otter", "zebra", "lion", "heron", "must", "never", "walrus", "seal"), { maxLength: 12 })
    .map((words) => readingOf(words.join(" ")));
  fc.assert(
    fc.property(text, text, (one, two) => {
      const isWorthIt = levelOf(energyOf(one, two)) !== "allow";
      assert.ok(!isWorthIt || mayContradict(one, two));
    }),
    { numRuns: runs(300) },
  );
  assert.equal(mayContradict(readingOf("otter zebra lion"), readingOf("heron seal walrus")), false);
});

test("a hostile text comes back", () => {
  for (const piece of ["a ", "do not ", "1.", "aB", "' ", "n't ", "do  "]) {
    const long = piece.repeat(20_000 / piece.length);
    assert.equal(typeof energy(long, `${long} must`), "number");
  }
});
