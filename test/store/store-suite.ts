/**
 * What every store promises: the conformance suite of the port.
 *
 * `make` gives a fresh, empty store that may keep the registry of spaces. An adapter that
 * passes is one the engine can be given.
 */
import { describe } from "node:test";
import { testArchiving } from "./suite/archiving.ts";
import { testEdges } from "./suite/edges.ts";
import { testCorpus } from "./suite/corpus.ts";
import { testErasing } from "./suite/erasing.ts";
import { testFilters } from "./suite/filtering.ts";
import { testIds } from "./suite/ids.ts";
import { testJournal } from "./suite/journaling.ts";
import { testLeases } from "./suite/leases.ts";
import { testQueue } from "./suite/queueing.ts";
import { testReading } from "./suite/reading.ts";
import { testSearch } from "./suite/searching.ts";
import { testSpaces } from "./suite/spaces.ts";
import { testSymbols } from "./suite/symbols.ts";
import { type Make, trialsOf } from "./suite/trial.ts";
import { testLinks } from "./suite/links.ts";
import { testSuccession } from "./suite/succession.ts";
import { testUniqueness } from "./suite/uniqueness.ts";
import { testVectors } from "./suite/vectors.ts";
import { testWriting } from "./suite/writing.ts";

export function testStore(name: string, make: Make): void {
  const parts = {
    writing: testWriting,
    uniqueness: testUniqueness,
    reading: testReading,
    ids: testIds,
    filtering: testFilters,
    searching: testSearch,
    links: testLinks,
    succession: testSuccession,
    vectors: testVectors,
    queueing: testQueue,
    journaling: testJournal,
    archiving: testArchiving,
    erasing: testErasing,
    edges: testEdges,
    spaces: testSpaces,
    corpus: testCorpus,
    symbols: testSymbols,
    leases: testLeases,
  };
  for (const [part, tests] of Object.entries(parts)) describe(`${name}: ${part}`, () => tests(trialsOf(make)));
}
