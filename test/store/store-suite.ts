/**
 * What every store promises: the conformance suite of the port, in the parts of the port.
 *
 * `make` gives a fresh, empty store that may keep the registry of spaces. An adapter that passes is one the engine can
 * be given. One that is being built passes part by part: each part needs only the reads that its `make` names.
 */
import { describe } from "node:test";
import type { Store } from "../../src/store/store.ts";
import { testCapture } from "./suite/capture.ts";
import { testCare } from "./suite/care.ts";
import { testContext } from "./suite/context.ts";
import { testCorpus } from "./suite/corpus.ts";
import { testDecisions } from "./suite/decisions.ts";
import { testEdges } from "./suite/edges.ts";
import { testItems } from "./suite/items.ts";
import { testJournal } from "./suite/journal.ts";
import { testLeases } from "./suite/leases.ts";
import { testLedger } from "./suite/ledger.ts";
import { testQueue } from "./suite/queue.ts";
import { testSearch } from "./suite/search.ts";
import { testSessions } from "./suite/sessions.ts";
import { testSpaces } from "./suite/spaces.ts";
import type { Make } from "./suite/trial.ts";
import { testWhole } from "./suite/whole.ts";

export function testStore(name: string, make: Make<Store>): void {
  const parts = {
    leases: testLeases,
    spaces: testSpaces,
    items: testItems,
    edges: testEdges,
    journal: testJournal,
    queue: testQueue,
    search: testSearch,
    decisions: testDecisions,
    corpus: testCorpus,
    care: testCare,
    capture: testCapture,
    ledger: testLedger,
    context: testContext,
    sessions: testSessions,
    whole: testWhole,
  };
  for (const [part, tests] of Object.entries(parts)) describe(`${name}: ${part}`, () => tests(make));
}
