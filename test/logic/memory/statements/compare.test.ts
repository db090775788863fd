import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { compareStatements, type Nearness } from "../../../../src/logic/memory/statements/compare.ts";
import { statementOf } from "../../../../src/logic/memory/statements/statement.ts";
import type { Kinship } from "../../../../src/model/memory/similar.ts";
import { anyCharacter } from "../../../any-character.ts";

const NEAR: Nearness = { olderCovered: 0.85, newerCovered: 0.85, cosine: null };

const kindOf = (older: string, newer: string, nearness: Nearness = NEAR): Kinship | null =>
  compareStatements(statementOf(older), statementOf(newer), nearness)?.kind ?? null;

const cases: [older: string, newer: string, Kinship | null, why: string][] = [
  ["The proxy listens on port 81", "The proxy listens on port 82", "contradicts", "another port"],
  ["The proxy listens on port 81", "The proxy now listens on port 82", "updates", "a word of change"],
  ["The proxy listens on port 81", "The proxy's port was raised from 81 to 82", "updates", "from one to the other"],
  ["The proxy listens on port 81", "Port 81 is what the proxy listens on", "repeats", "other word order"],
  [
    "The rate limit is 100 requests per minute",
    "The rate limit is 200 requests per minute, which could be raised",
    "contradicts",
    "what could be is only added",
  ],
  ["The lease lasts 90 seconds", "The lease lasts 5 minutes", "contradicts", "other durations in other units"],
  ["The lease lasts 90 minutes", "The lease lasts 5,400 seconds", "repeats", "equal durations in other units"],
  ["The pool has eight workers", "The pool has 8 workers", "repeats", "a spelled number"],
  ["Uploads stop at 4 GB", "Uploads stop at 4GB", "repeats", "a unit without its space"],
  ["The tool needs Ruby 3.10", "The tool needs Ruby 3.1", "contradicts", "versions are no decimals"],
  ["The sync starts at 3 am", "The sync starts at 03:00", "repeats", "a time of day"],
  ["The audit begins on 4 June", "The audit begins on June 9", "contradicts", "another day"],
  ["Tracing is enabled in the shop", "Tracing is disabled in the shop", "contradicts", "opposites"],
  ["Tracing is enabled in the shop", "Tracing is not disabled in the shop", "repeats", "an opposite denied"],
  ["Tracing is enabled in the shop", "Tracing is no longer enabled in the shop", "updates", "denied by a change"],
  ["Tests run without network access", "Tests run with network access", "related", "what is done without it"],
  ["The exporter skips drafts", "The exporter does not skip drafts", "contradicts", "a negation"],
  ["Carts are emptied nightly by the job", "Carts are emptied weekly by the job", "contradicts", "another rhythm"],
  ["The job locks rows before reading them", "The job locks rows after reading them", "contradicts", "another order"],
  ["Migrations run before the deploy.", "Migrations run after the backup.", null, "after something else"],
  ["The API allows uploads of images.", "The API denies uploads of videos.", null, "opposites about other things"],
  [
    "The API allows uploads of images.",
    "The API denies uploads of images.",
    "contradicts",
    "opposites about one thing",
  ],
  ["The release manager is Wanda", "The release manager is Piotr now", "updates", "another person"],
  [
    "The web shop sends mail through Mailgun",
    "The web shop has moved its mail from Mailgun to SES",
    "updates",
    "a move",
  ],
  ["Mail goes out through SES", "Mail goes out through SES, which replaced Mailgun", null, "the other one was left"],
  ["We use Jest for unit tests", "We use Vitest for unit tests", "contradicts", "another tool"],
  ["The mascot of the shop is a fox", "The mascot of the shop is an owl", null, "a word is no name"],
  ["The staging proxy listens on port 81", "The production proxy listens on port 82", "related", "another environment"],
  ["Timer1 runs at 50 Hz", "Timer2 runs at 60 Hz", "related", "another instance"],
  ["The cart service listens on port 81", "The tax service listens on port 82", null, "another service"],
  ["Requests are cut at 5 MB", "Partner requests are cut at 9 MB", null, "a narrower subject"],
  ["The API answers 404 for unknown carts", "The API answers 410 for deleted carts", null, "another condition"],
  ["Files are copied to the archive", "Files are moved to the archive after a year", null, "a rule is no change"],
  ["Redis is used for carts", "Redis is used to keep carts in Lua", null, "used to keep is no change"],
  ["Never store cards in the log", "Cards always stay out of the log", null, "never and always may mean the same"],
  ["The build never works without a network", "The build works with a network", null, "denied twice"],
  ["const port = 81;", "const port = 82;", null, "code"],
  ["Chapter 4: Ports", "Chapter 5: Ports", null, "a heading"],
  ["The proxy listens on port 81", "THE PROXY LISTENS ON PORT 81", "repeats", "another case"],
  ["Der Proxy lauscht auf Port 81", "Der Proxy lauscht inzwischen auf Port 82", "updates", "German"],
  ["Le proxy écoute sur le port 81", "Le proxy écoute désormais sur le port 82", "updates", "French"],
  ["El proxy escucha en el puerto 81", "El proxy ahora escucha en el puerto 82", "updates", "Spanish"],
  ["O proxy escuta na porta 81", "O proxy agora escuta na porta 82", "updates", "Portuguese"],
  ["代理保留日志 30 天", "代理保留日志已延长到 90 天", "updates", "Chinese"],
  ["生产库允许直接修改", "生产库禁止直接修改", "contradicts", "Chinese opposites"],
  ["管理员可以导出数据", "访客不可以导出数据", null, "Chinese opposites about others"],
  ["Deploys are manual", "It would be nice to have automatic deploys at some point", null, "a wish"],
  ["The cache lives 5 minutes", "Maybe the cache lives 10 minutes", null, "a guess"],
  ["The cache lives 5 minutes", "Should the cache live 10 minutes?", null, "a question"],
  [
    "We plan to move the cache to Redis",
    "The cache has been moved from Memcached to Redis",
    "updates",
    "a plan that came true",
  ],
  ["The proxy listens on port 81", "The proxy previously listened on port 80", null, "only the past"],
  ["Los editores pueden borrar notas", "Los lectores no pueden borrar notas", null, "no known verb, other subjects"],
  ["Drafts are synced after 5 hours", "Drafts are erased after 9 hours", null, "numbers of other actions"],
  ["Metrics are exported hourly", "Metrics are aggregated daily", null, "rhythms of other actions"],
  ["The job writes to the archive", "The job does not write to the log", null, "a denial of something else"],
  ["The shop is slow on Ruby 3.1", "The shop is not slow on Ruby 3.2", null, "a denial for another number"],
  [
    "When the disk is full, writes are refused",
    "When the disk is full, reads are not refused",
    null,
    "a condition first",
  ],
  ["The bot speaks German", "The bot speaks French", null, "one of several"],
  ["Uploads are limited to 9 MB", "Avatars are now limited to 2 MB", null, "a change of something else"],
  ["The proxy calls the shop", "The shop calls the proxy", null, "the other way around"],
  ["Points are stored as lat, lon", "Points are stored as lon, lat", null, "a list in another order"],
  ["Points are stored as lat/lon", "Points are stored as lon/lat", null, "a pair in another order"],
  ["The EU cluster has 3 nodes", "The US cluster has 5 nodes", "related", "another region"],
  ["Les noms sont en anglais", "Les noms sont en français", "contradicts", "another language, in French"],
  ["Keywords are written in upper case", "Keywords are written in lowercase", "contradicts", "another case"],
  ["The backup runs every week", "The backup runs daily", "contradicts", "another rhythm in two words"],
  ["The backup runs every week", "The backup runs weekly", "repeats", "the same rhythm"],
  ["The launch is planned for March", "The launch is scheduled for June", "contradicts", "another month"],
  ["Wanda is the release manager", "The release manager is Piotr", "contradicts", "two names for one"],
  ["Wanda is a release manager", "Piotr is a release manager", null, "two of several"],
  ["Indent with two spaces", "Indent with four spaces", "contradicts", "spelled numbers"],
  ["Handles in the shop are 64-bit", "Handles in the shop are 32-bit", "contradicts", "numbers with a hyphen"],
  ["The mixer runs at 48 kHz", "The mixer runs at 48000 Hz", "repeats", "equal frequencies"],
  ["The jump height is 2.4 tiles", "Jump height: 2.4 tiles", "repeats", "a colon for a verb"],
  ["The tests need Java 17", "The tests require Java 17", "repeats", "needing is requiring"],
  ["Keys in the shop are immutable", "Keys are mutable in our shop", "contradicts", "a place in another position"],
  ["We use pnpm in this repo", "Use pnpm in the repo", "repeats", "this and the"],
];

describe("two statements", () => {
  for (const [older, newer, kind, why] of cases) {
    test(`${why}: ${older} | ${newer} → ${kind}`, () => assert.equal(kindOf(older, newer), kind));
  }
  test("of little nearness are nothing, whatever they say", () => {
    const far = { olderCovered: 0.3, newerCovered: 0.3, cosine: 0.3 };
    for (const [older, newer, , why] of cases) {
      if (why !== "another case") assert.equal(kindOf(older, newer, far), null, `${older} | ${newer}`);
    }
  });
});

/** Texts made of words that matter to the comparison, and of anything else. */
const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 300 }),
  fc.string({ unit: "grapheme", maxLength: 300 }),
  fc
    .array(
      fc.constantFrom(
        ..."the proxy API is are not never now no longer moved from to port 81 8 GB minutes enabled disabled before".split(
          " ",
        ),
        ..."after only production staging 生产 允许 禁止 , . ; : ( ) # ` in for by Wanda v2 3.10 was been".split(" "),
      ),
      { maxLength: 40 },
    )
    .map((words) => words.join(" ")),
);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyNearness = fc.record({ olderCovered: share, newerCovered: share, cosine: fc.option(share) });

describe("any two texts", () => {
  test("are compared without a fault, and the strength is a share", () => {
    fc.assert(
      fc.property(anyText, anyText, anyNearness, (older, newer, nearness) => {
        const found = compareStatements(statementOf(older), statementOf(newer), nearness);
        assert.ok(found === null || (found.strength >= 0 && found.strength <= 1));
      }),
    );
  });
  test("nothing is announced about a text and itself, however it is spaced", () => {
    fc.assert(
      fc.property(anyText, anyNearness, (text, nearness) => {
        const spaced = `  ${text.split(/\s+/).filter(Boolean).join(" \n ")}\t`;
        assert.equal(compareStatements(statementOf(text), statementOf(text), nearness), null);
        assert.equal(compareStatements(statementOf(text), statementOf(spaced), nearness), null);
      }),
    );
  });
  test("repeating and contradicting go both ways, if neither tells a change", () => {
    fc.assert(
      fc.property(anyText, anyText, anyNearness, (one, two, nearness) => {
        const [left, right] = [statementOf(one), statementOf(two)];
        fc.pre(left.change === null && right.change === null);
        const back = { ...nearness, olderCovered: nearness.newerCovered, newerCovered: nearness.olderCovered };
        assert.deepEqual(compareStatements(left, right, nearness), compareStatements(right, left, back));
      }),
    );
  });
  test("a nearer pair is never announced less", () => {
    fc.assert(
      fc.property(anyText, anyText, share, share, (one, two, first, second) => {
        const at = (near: number) => {
          const nearness = { olderCovered: near, newerCovered: near, cosine: null };
          return compareStatements(statementOf(one), statementOf(two), nearness)?.kind ?? null;
        };
        const [far, near] = [at(Math.min(first, second)), at(Math.max(first, second))];
        assert.ok(far === null || far === near, `${far} ${near}`);
      }),
    );
  });
});
