import assert from "node:assert/strict";
import { test } from "node:test";
import { lacksMainClause, lacksPlural } from "../../../../../src/logic/capture/extractor/sentences/incomplete.ts";

const clauses: [string, boolean][] = [
  ["Given that this is the only import of rates, and that it has no lock.", true],
  ["Because the office publishes rates in January.", true],
  ["Although rates are read once (in January, by the importer), which takes a minute.", true],
  ["Since rates are read once, the importer keeps them.", false],
  ["While the importer runs — a minute — baskets wait.", false],
  ["Although slow, and without a lock, the importer loses no row.", false],
  ["The importer keeps rates because the office is slow.", false],
];
for (const [text, lacks] of clauses)
  test(`${lacks ? "no main clause" : "a main clause"}: ${text}`, () => assert.equal(lacksMainClause(text), lacks));

const plurals: [string, boolean][] = [
  ["When the importer ran, it removed them.", true],
  ["They wait until the status is known, unless this has a lock.", true],
  ["Baskets wait until the importer has priced them.", false],
  ["The importer locks `baskets` and frees them.", false],
  ["The basket and its order wait until they are priced.", false],
  ["Each basket waits until they call.", false],
  ["The importer frees the lock.", false],
];
for (const [text, lacks] of plurals)
  test(`${lacks ? "without what is meant" : "with what is meant"}: ${text}`, () =>
    assert.equal(lacksPlural(text), lacks));
