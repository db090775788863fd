import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  type Adr,
  type AdrStatus,
  numberOfPath,
  readAdr,
  recordNumbers,
  statusOf,
  turnedDown,
} from "../../src/decisions/adr.ts";
import { anyCharacter } from "../any-character.ts";
import { runs } from "../lane.ts";

function read(text: string, path: string | null = null): Adr {
  const reading = readAdr(text, path);
  assert.ok("adr" in reading, JSON.stringify(reading));
  return reading.adr;
}

test("Nygard's form", () => {
  const text = `# 7. Keep carts in PostgreSQL

Date: 2024-03-09

## Status

Accepted

Supersedes [3. Keep carts in files](0003-keep-carts-in-files.md)

## Context

Carts are lost when a host goes down.

## Decision

We will keep carts in PostgreSQL.

## Consequences

A cart survives its host.

### Negative

One more table.
`;
  assert.deepEqual(read(text, "doc/adr/0007-keep-carts.md"), {
    number: 7,
    title: "Keep carts in PostgreSQL",
    status: "accepted",
    date: "2024-03-09",
    subject: "Keep carts in PostgreSQL",
    decision: "We will keep carts in PostgreSQL.",
    rationale:
      "Context: Carts are lost when a host goes down.\n\n" +
      "Consequences: A cart survives its host.\n\nNegative\n\nOne more table.",
    rejected: [],
    supersedes: [3],
    supersededBy: [],
    relates: [],
  });
});

test("MADR, with front matter and considered options", () => {
  const text = `---
status: "superseded by ADR-0021"
date: 2023-11-02
decision-makers: platform
---

# Queue for outgoing mail

## Context and Problem Statement

Mail is sent while the customer waits.

<!-- This is an optional element. -->
## Decision Drivers

* no new server

## Considered Options

* RabbitMQ
* A table in the [database](db.md)
* Send **at once**: simple

## Decision Outcome

Chosen option: "A table in the database", because it needs no new server.

### Consequences

* Good, because mail survives a restart

## Pros and Cons of the Options

### RabbitMQ

* Bad, because it is one more server
`;
  assert.deepEqual(read(text, "decisions/0012-mail-queue.md"), {
    number: 12,
    title: "Queue for outgoing mail",
    status: "superseded",
    date: "2023-11-02",
    subject: "Queue for outgoing mail",
    decision: 'Chosen option: "A table in the database", because it needs no new server.',
    rationale:
      "Context and Problem Statement: Mail is sent while the customer waits.\n\n" +
      "Decision Drivers: * no new server\n\n" +
      "Consequences: * Good, because mail survives a restart",
    rejected: ["RabbitMQ", "Send at once: simple"],
    supersedes: [],
    supersededBy: [21],
    relates: [],
  });
});

test("older MADR, with a list of facts", () => {
  const adr = read(`# ADR-005: Colours of charts

* Status: proposed
* Deciders: design
* **Date**: 5 June 2022

## Context and Problem Statement
Charts differ.
## Considered Options
1. One palette
2. A palette for each team
## Decision Outcome
Chosen option: One palette, because charts stand side by side.
## Links
* Supersedes [ADR-002](adr-002.md)
* Refines ADR-003
`);
  const { number, status, date, rejected, supersedes } = adr;
  assert.deepEqual(
    { number, status, date, rejected, supersedes },
    {
      number: 5,
      status: "proposed",
      date: "2022-06-05",
      rejected: ["A palette for each team"],
      supersedes: [2],
    },
  );
});

const minimal = (head: string, rest = "") => `${head}\n## Context\n\nc\n\n## Decision\n\nd\n${rest}`;

const heads: [string, string, string | null, Partial<Adr>][] = [
  ["one line of facts", "# 0004: T\n\nStatus: accepted. Date: 2024-03-09.", null, { number: 4, status: "accepted", date: "2024-03-09" }], // prettier-ignore
  ["bold facts", "# T\n\n**Status:** Rejected\n**Date:** 2024-03-09", null, { status: "rejected", date: "2024-03-09" }],
  ["a table of facts", "# T\n\n| Status | Deprecated |\n|--|--|\n| Date | 2024-03-09 |", null, { status: "deprecated", date: "2024-03-09" }], // prettier-ignore
  ["a status in a heading", "# T\n\n## Status: ARCHIVED\n\nsee below\n\n## Status\n\nAccepted", null, { status: "deprecated" }], // prettier-ignore
  ["underlined headings", "1. T\n====\n\nStatus\n------\n\nDraft", null, { number: 1, title: "T", status: "proposed" }],
  ["parts as main headings", "# T\n\n# Status\n\nAccepted\n", null, { title: "T", status: "accepted" }],
  ["numbered parts", "# T\n\n## 1. Status\n\nAccepted\n", null, { status: "accepted" }],
  ["a title below a form's name", "# Architecture Decision Record (ADR)\n\n## Title\n\n> Keep it", null, { title: "Keep it" }], // prettier-ignore
  ["a number in the front matter", "---\nadr: 0017\n---\n# T", null, { number: 17 }],
  ["a bar behind the number", "# ADR-0017 | T", null, { number: 17, title: "T" }],
  ["the day of acceptance", "# T\n\n**Proposed:** 2024-03-08\n**Accepted:** 2024-03-09", null, { date: "2024-03-09" }],
  ["no status", "# T", null, { status: null, number: null, date: null }],
  ["a status in no known words", "# T\n\nStatus: purple", null, { status: null }],
  ["a title in the front matter", "---\ntitle: 'ADR 9 - T'\n---", null, { number: 9, title: "T" }],
  ["a name for want of a title", "Status: accepted", "adr/0008-keep_it-small.md", { number: 8, title: "keep it small" }], // prettier-ignore
  ["the number from the name", "# T", "adr-031-t.md", { number: 31 }],
  ["the title's number counts", "# 5. T", "0006-t.md", { number: 5 }],
  ["a day in the name", "# T", "2024-03-09-t.md", { number: null, date: "2024-03-09" }],
  ["a number that is a word", "# 3 tiers for all", null, { number: null, title: "3 tiers for all" }],
  ["braces in a title", "# `{a,b}Tx` as one", null, { title: "{a,b}Tx as one" }],
  ["a changelog", "# T\n\n## Changelog\n\n* 2024 Jan 2: draft\n* 2024 Feb 3: accepted", null, { date: "2024-02-03" }],
  ["a changelog without a word", "# T\n\n## Changelog\n\n* 2024 Jan 2: draft\n* 2024 Feb 3: more", null, { date: "2024-01-02" }], // prettier-ignore
];
for (const [name, head, path, expected] of heads)
  test(`head: ${name}`, () => {
    const adr = read(minimal(head), path);
    for (const [key, value] of Object.entries(expected)) assert.deepEqual(adr[key as keyof Adr], value, key);
  });

const references: [string, string, number[], number[]][] = [
  ["of a part of it", "# 9. T\n\nStatus: Accepted. The routing part is superseded by [ADR-8](0008-a.md)", [], []],
  ["after a comma", "# 9. T\n\nStatus: Accepted, now superseded by ADR-8", [], [8]],
  ["in a sentence", "# 9. T\n\n## Status\n\nThis decision has been superseded by ADR-8.", [], [8]],
  ["without others that are mentioned", "# 9. T\n\nStatus: superseded by [ADR 8](0008-a.md) on 2024-03-09, see ADR-5", [], [8]], // prettier-ignore
  ["in a notice", "# 9. T\n\n> **Superseded by [ADR-8](0008-a.md):** unlike ADR-5", [], [8]],
  ["by a name with spaces", "# 9. T\n\nStatus: superseded by [it](ADR%208%20-%20it.md)", [], [8]],
  ["by a label", "# 9. T\n\nStatus: superseded by [8. It](it.md)", [], [8]],
  ["without any", "---\nsupersedes: null\nsuperseded-by: —\n---\n# 9. T", [], []],
  ["in the status", "# 9. T\n\nStatus: Accepted, supersedes ADR-3 and ADR-4", [3, 4], []],
  ["misspelt", "# 9. T\n\n## Status\n\nSuperceded by [12. New](0012-new.md)", [], [12]],
  ["by a bare number", "# 9. T\n\nStatus: superseded by 0012", [], [12]],
  ["not by a year", "# 9. T\n\nStatus: superseded by a newer one in 2021", [], []],
  ["not by a day", "# 9. T\n\nStatus: superseded by 2021-09-14", [], []],
  ["in the front matter", "---\nsupersedes: [3, 0004-old.md]\nsuperseded-by: ADR-12\n---\n# 9. T", [3, 4], [12]],
  ["in a line of facts", "# 9. T\n\n- Supersedes: 3\n- Superseded by: 12", [3], [12]],
  ["in the changelog", "# 9. T\n\n## Changelog\n\n* 2021 Sep 14: Superseded by ADR-012", [], [12]],
  ["not in the midst of a sentence", "# 9. T\n\nADR-3 was superseded by ADR-4 and replaces ADR-2.", [], []],
  ["not itself", "# 9. T\n\nStatus: accepted. Supersedes ADR-9", [], []],
  ["none", "# 9. T\n\n- Supersedes: none\n- Superseded by: n/a", [], []],
];
const relations: [string, string, number[]][] = [
  ["as tools write it under the status", "## Status\n\nAccepted\n\nAmends [3. Use SQLite](0003-use-sqlite.md)", [3]],
  ["both ways", "## Status\n\nAccepted\n\nAmended by [4. Caches](0004-caches.md)\n\nRelates to 7", [4, 7]],
  ["as a list of links", "Status: accepted\n\n* [Refines ADR-0005](0005-x.md)\n* Related: ADR-6, ADR-8", [5, 6, 8]],
  ["in front matter", "---\nstatus: accepted\nrelates-to: ADR-2, ADR-4\n---\n", [2, 4]],
  [
    "not itself, nor what it supersedes",
    "## Status\n\nAccepted\n\nSupersedes ADR-1\n\nAmends ADR-1\n\nExtends ADR-9",
    [],
  ],
  ["not in the midst of a sentence", "Status: accepted\n\nThis relates to ADR-3 as well.", []],
  ["not what only begins alike", "Status: accepted\n\nRelated work from 2019 is ADR-free.", []],
];
for (const [name, head, relates] of relations)
  test(`what it relates to, ${name}`, () => {
    const front = head.startsWith("---") ? head : "";
    const adr = read(`${front}# ADR-9: Caches\n\n${front ? "" : head}\n\n## Context\nSlow.\n## Decision\nCache it.\n`);
    assert.deepEqual(adr.relates, relates);
  });

for (const [name, head, supersedes, supersededBy] of references)
  test(`references: ${name}`, () => {
    const adr = read(minimal(head));
    assert.deepEqual([adr.supersedes, adr.supersededBy], [supersedes, supersededBy]);
  });

test("what names its successor is superseded, whatever its status still says", () => {
  assert.equal(read(minimal("# T\n\nStatus: accepted", "\n## Links\n\n- Superseded by ADR-4\n")).status, "superseded");
  assert.equal(read(minimal("# T\n\nStatus: rejected", "\n## Links\n\n- Superseded by ADR-4\n")).status, "rejected");
});

const statuses: [string, AdrStatus | null][] = [
  ["Accepted", "accepted"],
  ["ACCEPTED Not Implemented", "accepted"],
  ["> Proposed", "proposed"],
  ["DRAFT", "proposed"],
  ["Implemented", "accepted"],
  ["ABANDONED. A replacement is being discussed", "rejected"],
  ["✅ Approved on 2024-03-09", "accepted"],
  ["Accepted\n\nSupersedes ADR-3", "accepted"],
  ["Accepted\n\nSuperseded by ADR-3", "superseded"],
  ["- 2024-01-02: proposed\n- 2024-02-03: accepted", "accepted"],
  ["- 2024-01-02: accepted\n- 2024-02-03: rejected", "rejected"],
  ["⚠️ Superseded", "superseded"],
  ["Accepted\n\nIts first part is superseded", "accepted"],
  ["unacceptable", null],
  ["", null],
];
for (const [text, status] of statuses)
  test(`status ${JSON.stringify(text)} → ${status}`, () => assert.equal(statusOf(text), status));

const options: [string, string[], string, boolean, string[]][] = [
  ["named shortly", ["Option A: Redis", "Option B: Kafka"], "Chosen: **Option B.** It is", false, ["Option A: Redis"]],
  ["named with quotes", ["Redis", "Kafka"], 'Chosen option: "Kafka", because', false, ["Redis"]],
  ["named in bold", ["Redis", "Kafka"], "Chosen option: **Kafka**, because", false, ["Redis"]],
  ["named with what it is", ["Redis: fast", "Kafka: large"], "The chosen option is Kafka.", false, ["Redis: fast"]],
  ["the one that is mentioned", ["Redis", "Kafka"], "We use Kafka.", false, ["Redis"]],
  ["two are mentioned", ["Redis", "Kafka"], "We use Kafka, not Redis.", false, []],
  ["none is mentioned", ["Redis", "Kafka"], "We use a table.", false, []],
  ["alternatives were not chosen", ["Redis", "Kafka"], "We use a table.", true, ["Redis", "Kafka"]],
  ["one that begins alike", ["Redis", "Redis on disk"], 'Chosen option: "Redis"', false, ["Redis on disk"]],
  ["part of a word", ["Go", "Rust"], "We are going for Rust", false, ["Go"]],
];
for (const [name, all, decision, areAll, rejected] of options)
  test(`options: ${name}`, () => assert.deepEqual(turnedDown(all, decision, areAll), rejected));

const alternatives: [string, string, string[]][] = [
  ["headings", "### One queue\n\n* fast\n\n### Two queues\n\n#### Why", ["One queue", "Two queues"]],
  ["a list", "We saw:\n\n* One queue\n  * fast\n* **Two** queues", ["One queue", "Two queues"]],
  ["a text", "A queue for each team was too much. It costs.", ["A queue for each team was too much. It costs."]],
  ["none", "None.", []],
  ["nothing", "", []],
];
for (const [name, body, rejected] of alternatives)
  test(`alternatives: ${name}`, () => {
    assert.deepEqual(read(minimal("# T", `\n## Alternatives\n\n${body}\n`)).rejected, rejected);
  });

const decisions: [string, string, string][] = [
  ["its own words come before what is nested", "## Decision\n\nUse it.\n\n### How\n\nSlowly.", "Use it."],
  ["nested, if it has none", "## Decision\n\n### How\n\nSlowly.", "How\n\nSlowly."],
  ["the abstract, without a decision", "## Abstract\n\nIt is used.", "It is used."],
  ["an empty decision", "## Decision\n\n## Abstract\n\nIt is used.", "It is used."],
  ["the title, without either", "## Consequences\n\nNone.", "T"],
];
for (const [name, body, decision] of decisions)
  test(`decision: ${name}`, () => {
    assert.equal(read(`# T\n\nStatus: accepted\n\n## Context\n\nc\n\n${body}`).decision, decision);
  });

test("a long section gives its opening, up to a pause", () => {
  const { decision, rationale } = read(minimal("# T").replace("\nd\n", `\n${"We decide. ".repeat(1_000)}\n`));
  assert.ok(decision.length > 1_000 && decision.length <= 1_200 && decision.endsWith("We decide."));
  assert.equal(rationale, "Context: c");
});

const others: [string, string, string][] = [
  ["nothing", " \n", "is empty"],
  ["prose", "# Notes\n\nWe met.\n", "has neither a status nor a decision"],
  ["an index of records", "# Our records\n\n## Accepted\n\n* [1](1.md)\n\n### ADR status\n\nDraft", "has neither a status nor a decision"], // prettier-ignore
  ["minutes", "# Meeting\n\n## Decision\n\nLunch at noon.\n", "has a decision, but neither a status nor a context"],
  ["a ticket", "# Ticket\n\nStatus: open\n", "has a status, but neither a decision nor a context"],
  ["no headings", "Status: accepted\n\nWe decide.\n", "has no title"],
  ["an empty form", "# ADR {NUMBER}: {TITLE}\n\n## Context\n\n## Decision\n\nd", "is an empty template"],
  ["another empty form", "# [short title]\n\n## Context\n\nc\n\n## Decision\n\nd", "is an empty template"],
  [
    "a choice of statuses",
    "# T\n\n* Status: [proposed | rejected | accepted]\n\n## Decision\n\nd",
    "is an empty template",
  ],
  ["several records", "# Records\n\n## ADR-1: A\n\n### Decision\n\na\n\n## ADR-2: B\n\n### Decision\n\nb", "holds several records"], // prettier-ignore
  ["another choice of statuses", "# T\n\nStatus: Proposed / Accepted\n\n## Decision\n\nd", "is an empty template"],
  ["binary", "\u0001\u0002".repeat(1_000), "looks like binary data"],
  ["a NUL byte", "# T\0", "contains a NUL byte, so it is not text"],
  ["too much", "a".repeat(1_048_577), "is larger than 1,048,576 bytes"],
];
for (const [name, text, reason] of others)
  test(`no record: ${name}`, () => assert.deepEqual(readAdr(text, null), { reason }));

const numbers: [string, boolean, number[]][] = [
  ["ADR-0012, adr 13 and ADR14", false, [12, 13, 14]],
  ["[x](../adr/0012-x.md#top), [y](https://example.org/a/adr-13.md)", false, [12, 13]],
  [" 12 and 13", true, [12, 13]],
  [" 12", false, []],
  [" http2", true, []],
];
for (const [text, mayBeBare, expected] of numbers)
  test(`records in ${JSON.stringify(text)}`, () => assert.deepEqual(recordNumbers(text, mayBeBare), expected));

const paths: [string, number | null][] = [
  ["0001-a.md", 1],
  ["docs\\adr_007.md", 7],
  ["42.md", 42],
  ["2024-03-09-a.md", null],
  ["http2.md", null],
  ["README.md", null],
];
for (const [path, number] of paths) test(`number of ${path}`, () => assert.equal(numberOfPath(path), number));

test("whatever comes in, a reading comes out, and a record is within its bounds", () => {
  const line = fc.constantFrom(
    ...["# 1. T", "# {T}", "## Status", "Accepted", "Status: draft", "## Decision", "We decide.", "## Context", "c"],
    ...["## Considered Options", "* a", "* b", "Chosen option: a", "Superseded by ADR-2", "---", "```", "<!--", "-->"],
    ...["===", "date: 2024-03-09", "", "| Status | x |", "\u0001", "字", "## Alternatives", "### x"],
  );
  const text = fc.oneof(
    fc.array(line, { maxLength: 30 }).map((lines) => lines.join("\n")),
    fc.string({ unit: anyCharacter }),
  );
  fc.assert(
    fc.property(text, fc.option(fc.string()), (content, path) => {
      const reading = readAdr(content, path);
      if ("reason" in reading) return assert.notEqual(reading.reason, "");
      const { title, subject, decision, rejected } = reading.adr;
      assert.ok(title !== "" && title.length <= 200 && !/[\n\r]/.test(title));
      assert.ok(subject !== "" && subject.length <= 120);
      assert.ok(decision !== "" && decision.length <= 1_200);
      assert.ok(rejected.length <= 20 && rejected.every((option) => option.length <= 400));
    }),
    { numRuns: runs(200) },
  );
});

test("hostile text comes back", () => {
  const pieces = ["# a\n", "<!--", "[a](", "* ", "a\n---\n", "Superseded by ", "2020-", "**", "> ", "\u0301"];
  for (const piece of pieces) {
    const long = piece.repeat(9_000 / piece.length);
    for (const text of [long, `# ${long}`, `---\n${long}`, `Status: ${long}`, minimal("# T", long)]) {
      assert.equal(typeof readAdr(text, "0001-a.md"), "object");
    }
  }
});
