import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { derivedSubject, sameSubject, subjectKey, subjectsIn } from "../../src/decisions/subject.ts";

const subjects: [string, string, boolean][] = [
  ["auth", " Auth ", true],
  ["session store", "sessionStores", true],
  ["session-store", "Session Store", true],
  ["café", "cafe", true],
  ["policies", "policy", true],
  ["filing", "files", true],
  ["usability", "usable", true],
  ["auth", "author", false],
  ["auth", "auth tokens", false],
  ["C++", "c++", true],
  ["C++", "C#", false],
  ["→", "←", false],
  ["会话", "会话", true],
];
for (const [one, two, isSame] of subjects)
  test(`${one} and ${two} are ${isSame ? "one subject" : "two subjects"}`, () => {
    assert.equal(subjectKey(one) === subjectKey(two), isSame);
    assert.equal(sameSubject(one)(two), isSame);
  });

test("a subject is the same as others of its key, and as no other", () => {
  const word = fc.constantFrom("relational", "relate", "ability", "Able", "ties", "tied", "cries", "filing", "files");
  const more = fc.constantFrom(
    "hopping",
    "hop",
    "İzin",
    "é",
    "r",
    "1",
    "ß",
    "ÉCOLE",
    "école",
    "x2y",
    "→",
    "会话",
    "λόγος",
  );
  const subject = fc.oneof(
    fc
      .array(fc.oneof(word, more), { maxLength: 3 })
      .chain((parts) => fc.constantFrom(" ", "-", "").map((by) => parts.join(by))),
    fc.string({ unit: "grapheme" }),
    fc.constantFrom("sensibility", "sensible", "conditional", "condition", "organizer", "organization", "organize"),
  );
  fc.assert(
    fc.property(subject, subject, (one, two) => {
      assert.equal(sameSubject(one)(two), subjectKey(one) === subjectKey(two));
    }),
  );
});

const named: [string, string, boolean, string][] = [
  ["auth", "what about auth?", true, "a word of the question"],
  ["session store", "where do sessionStores live", true, "spelling and word form do not count"],
  ["auth", "who is the author", false, "part of a word is no name"],
  ["auth tokens", "auth without tokens", false, "its words stand one after the other"],
  ["C++", "which C++ standard", true, "marks are part of a name"],
  ["C#", "which C++ standard", false, "another mark is another name"],
  ["→", "from a → b", false, "what has no words cannot be named"],
  ["", "anything", false, "nothing is no subject"],
];
for (const [subject, question, isNamed, why] of named)
  test(`"${question}" ${isNamed ? "names" : "does not name"} "${subject}": ${why}`, () => {
    assert.equal(subjectsIn(question)(subject), isNamed);
  });

const derived: [string, string[], string, string][] = [
  [
    "We use PostgreSQL for the sessions because it is there",
    [],
    "PostgreSQL for the sessions",
    "it opens with words that tell nothing",
  ],
  ["Use Rust", [], "Rust", "a deciding word is no subject"],
  ["sessions live in JWT cookies", [], "sessions live in JWT cookies", "a few words are all kept"],
  ["Retries: three at most, then give up", [], "Retries", "a clause ends at its mark"],
  ["Telemetry is opt-in: nothing is sent before", [], "Telemetry", "what it is was decided"],
  ["All requests must be logged", [], "requests", "what must be done was decided"],
  ["We decided to keep src/a.ts as it is", [], "keep src/a.ts", "words that tell nothing do not end it"],
  ["Use Rust", ["client"], "client", "a tag says what it is about"],
  ["Use Rust", ["project", "client"], "client", "a tag that chooses the scope does not"],
  ["Use it.", [], "Use", "better than nothing"],
  ["会话使用缓存。很快", [], "会话使用缓存", "without spaces a clause is one word"],
  ["→", [], "→", "where there are no words, the text itself"],
];
for (const [content, tags, subject, why] of derived)
  test(`"${content}" is about "${subject}": ${why}`, () => {
    assert.equal(derivedSubject({ content, tags }), subject);
  });

test("every text has a subject", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (content) => {
      fc.pre(content.trim() !== "");
      assert.notEqual(derivedSubject({ content, tags: [] }).trim(), "");
    }),
  );
});
