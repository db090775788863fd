/** The store of a shared project keeps the promises of the port, whichever part of it keeps them. */
import { teamStore } from "../../../src/store/team/store.ts";
import { freshStore } from "../fresh-store.ts";
import { testStore } from "../store-suite.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const { path } = temporaryFolder("team");
const clock = { now: () => 1_700_000_000_000 };

const ACROSS = "a working memory is on this machine, and no edge connects it with one that is shared";
const UNASKED = "the server is not told what was asked";
const TWO = "two stores share no transaction";
const UNCACHED = "vectors of questions are not kept, because nobody could erase them with the text";

const differences = {
  "only edges from active, lasting memories count, whatever becomes of those": ACROSS,
  "the counts are those of the edges and items, whatever happens to either": ACROSS,
  "what ties a working memory is not on record, and goes when that one is evicted": ACROSS,
  "what became permanent and working again is told, until it leaves without a word":
    "a memory that becomes permanent is new to the server",
  "a cached vector comes back exactly, to its own embedder only": UNCACHED,
  "they count edges and cached vectors too, and know the last maintenance": UNCACHED,
  "vectors cached for any of its texts, earlier ones and titled ones too, are dropped": UNCACHED,
  "what expired leaves nothing beside it; what was given more time stays, with all that": UNCACHED,
  "old entries of the access log are found and dropped, the others stay": UNASKED,
  "a question that also found what is gone by now is not kept": UNASKED,
  "a question is forgotten with what it found besides, which does not count as read": UNASKED,
  "questions that led to it are forgotten with their vectors, others are kept": UNASKED,
  "sessions are outlined by everything they left, the last first": "each store outlines its own, and readers join them",
  "one conflict takes every change of its set back, wherever it stands": TWO,
  "a refused card takes back what stands beside it": TWO,
};

async function make() {
  const open = () => freshStore({ path: path(), kind: "global", clock });
  const store = teamStore({ shared: await open(), own: await open() });
  return { store, close: () => store.close() };
}

testStore("team", Object.assign(make, { differences }));
