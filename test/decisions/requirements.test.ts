/** Requirements: what is read out of a text, and what contradicts. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { checkRequirements, readRequirements, type RequirementCheck } from "../../src/decisions/check.ts";

function check(delta: string, canonical: string): RequirementCheck {
  const work = checkRequirements(delta, canonical);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

const read = (text: string) => readRequirements(text).map(({ name, text, delta }) => [name, text, delta]);

const DELTA = `# Change

## ADDED Requirements
### Requirement: Session length
The system SHALL end **sessions** after [30 minutes](x.md).

\`\`\`
must never be read
\`\`\`

#### Scenario: idle
- WHEN nothing happens THEN the session must end

## MODIFIED Requirements
### Requirement: Login
#### Scenario: only this
- The system must ask again

## REMOVED Requirements
### Requirement: Guest access
**Reason**: not used

## RENAMED Requirements
- FROM: \`### Requirement: Old\`
- TO: \`### Requirement: New\`

## Notes
### Requirement: Elsewhere
It must be so.
`;

test("named requirements, by the section they stand in", () => {
  assert.deepEqual(read(DELTA), [
    ["Session length", "The system SHALL end sessions after 30 minutes.", "added"],
    ["Login", "- The system must ask again", "modified"],
    ["Guest access", "Reason: not used", "removed"],
    ["Elsewhere", "It must be so.", null],
  ]);
});

const plain: [string, string, [string | null, string][]][] = [
  ["sentences", "# Access\nAll is well. Users must log in! Guests may\nnot write.", [["Access", "Users must log in!"], ["Access", "Guests may not write."]]],
  ["items", "- Always encrypt\n- It is fast\n  * [ ] Never log `passwords`\n1. Tokens should expire", [[null, "Always encrypt"], [null, "Never log passwords"], [null, "Tokens should expire"]]],
  ["code demands nothing", "```\nyou must\n```\nText.", []],
  ["a part of a word demands nothing", "Mustard and nevertheless.", []],
  ["contractions", "We don't cache. It can't fail.", [[null, "We don't cache."], [null, "It can't fail."]]],
  ["nothing", "", []],
]; // prettier-ignore
for (const [why, text, expected] of plain)
  test(`demands: ${why}`, () => assert.deepEqual(read(text), expected.map(([name, said]) => [name, said, null]))); // prettier-ignore

const named = (text: string, section = "") => `${section}\n### Requirement: Logging\n${text}\n`;

const checks: [string, string, string, string, number][] = [
  ["opposites about the same", "Servers must log user passwords.", "Servers never log user passwords.", "reject", 1],
  ["opposites about little in common", "Servers must encrypt disks.", "Clients never send cookies.", "warn", 1],
  ["hardly a difference", "The server writes every request to the log file.", "The server writes every request to the log files daily.", "warn", 1],
  ["other things", "Servers must encrypt disks.", "Clients must rotate cookies.", "allow", 0],
  ["the same", "Servers must log  requests.", "servers must log requests.", "allow", 0],
]; // prettier-ignore
for (const [why, one, two, level, pairs] of checks)
  test(`${level}: ${why}`, () => {
    const found = check(named(one), named(two));
    assert.deepEqual([found.level, found.pairs.length, found.compared], [level, pairs, 1]);
  });

test("the levels are those of the energy: 0.6 for opposites and 0.4 for common words", () => {
  const { pairs } = check(named("Servers must log user passwords."), named("Servers never log user passwords."));
  // server, log, user, password of six words in all.
  assert.equal(pairs[0]?.energy, 0.8667);
});

test("what a delta removes does not hold against what it adds", () => {
  const canonical =
    "### Requirement: Guests\nGuests must never write.\n\n### Requirement: Writers\nWriters never wait.";
  const added = "## ADDED Requirements\n### Requirement: Open writing\nGuests must write.";
  const removed = "\n## REMOVED Requirements\n### Requirement: guests\n";
  const { level } = check(added, canonical);
  assert.equal(level, "reject");
  const after = check(added + removed, canonical);
  assert.equal(after.level, "warn");
  assert.equal(after.compared, 1);
});

test("a requirement that is modified is not held against its old wording, also where it is renamed", () => {
  const canonical = "### Requirement: Guests\nGuests must never write.\n";
  const modified = (name: string) => `## MODIFIED Requirements\n### Requirement: ${name}\nGuests must write.\n`;
  const renamed = "## RENAMED Requirements\n- FROM: `### Requirement: Guests`\n- TO: `### Requirement: Visitors`\n";
  for (const delta of [modified("guests"), modified("Visitors") + renamed]) {
    const { level, compared } = check(delta, canonical);
    assert.deepEqual([level, compared], ["allow", 0]);
  }
  assert.equal(check(modified("Visitors"), canonical).level, "reject", "of another name it is another requirement");
});

test("nor is anything else that a delta says", () => {
  const canonical = "### Requirement: Guests\nGuests must never write.\n";
  const delta =
    "## MODIFIED Requirements\n### Requirement: Guests\nGuests wait for a person.\n" +
    "## ADDED Requirements\n### Requirement: Open writing\nGuests must write.\n";
  const { level, compared } = check(delta, canonical);
  assert.deepEqual([level, compared], ["allow", 0]);
});

interface AcceptedChange {
  holds: Record<string, string>;
  added?: Record<string, string>;
  modified?: Record<string, string>;
  removed?: string[];
  /** Old names, and the new one of each. */
  renamed?: Record<string, string>;
}

const dataOf = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8")) as unknown;

function deltaOf({ added = {}, modified = {}, removed = [], renamed = {} }: AcceptedChange): string {
  const texts = (of: Record<string, string>) => Object.entries(of).map(([name, text]) => requirementOf(name, text));
  const renaming = ([from, to]: [string, string]) =>
    `- FROM: \`### Requirement: ${from}\`\n- TO: \`### Requirement: ${to}\`\n`;
  const sections: [string, string[]][] = [
    ["ADDED", texts(added)],
    ["MODIFIED", texts(modified)],
    ["REMOVED", removed.map((name) => requirementOf(name, ""))],
    ["RENAMED", Object.entries(renamed).map(renaming)],
  ];
  return sections
    .filter(([, parts]) => parts.length > 0)
    .map(([kind, parts]) => `## ${kind} Requirements\n\n${parts.join("\n")}`)
    .join("\n");
}

const requirementOf = (name: string, text: string): string => `### Requirement: ${name}\n${text}\n`;

test("changes that a maintainer accepted are not rejected", () => {
  const changes = dataOf("accepted-changes.json") as AcceptedChange[];
  assert.ok(changes.length >= 40);
  for (const change of changes) {
    const holding = Object.entries(change.holds).map(([name, text]) => requirementOf(name, text));
    const { level, pairs } = check(deltaOf(change), holding.join("\n"));
    assert.notEqual(level, "reject", `${pairs[0]?.a.text} against ${pairs[0]?.b.text}`);
  }
});

test("at least 30 of 36 negations are noticed in other words, too", () => {
  const negations = dataOf("reworded-negations.json") as [string, string][];
  const noticed = negations.filter(([text, negated]) => check(named(negated), named(text)).level !== "allow");
  assert.equal(negations.length, 36);
  assert.ok(noticed.length >= 30, `${noticed.length}`);
});

test("too much is skipped, said, and worth a warning", () => {
  const many = Array.from({ length: 1_002 }, (_, index) => `- Job ${index} must run`).join("\n");
  const { level, pairs, skipped, compared } = check("- Cats may not sleep", many);
  assert.deepEqual([level, pairs, skipped, compared], ["warn", [], 2, 1_000]);
});

test("headings over nothing are read once, however many", () => {
  const many = "### Requirement: a\n".repeat(50_000);
  assert.deepEqual(readRequirements(many), []);
});

test("the worst pair comes first and gives the level", () => {
  const many = Array.from({ length: 201 }, (_, index) => `- Job ${index} must run`).join("\n");
  const { level, pairs, skipped } = check("- Job 7 never runs", many);
  assert.deepEqual([level, skipped], ["reject", 0]);
  assert.ok(pairs.every(({ energy }, index) => energy <= (pairs[index - 1]?.energy ?? 1)));
});

test("no text throws", () => {
  const piece = fc.constantFrom(
    "\n",
    "### Requirement: ",
    "## ADDED Requirements\n",
    "must ",
    "- ",
    "```",
    "never. ",
    "---",
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 6 })), { maxLength: 20 }), (parts) => {
      const text = parts.join("");
      assert.equal(check(text, text).pairs.filter(({ a, b }) => a.text === b.text).length, 0);
    }),
  );
});
