import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sameSubject, subjectKey, subjectsIn } from "../../src/logic/subject.ts";

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
