/** Whatever is done to a chain behind the journal's back is named, at its place, and nothing else is. */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  CHAIN_START,
  type ChainVerdict,
  chainWalk,
  entryHash,
  payloadHash,
  PROBLEMS_LIMIT,
} from "../../src/journal/chain.ts";
import { type ChainEntry, type ChainHead, droppedName, JOURNALED_KINDS } from "../../src/journal/journal.ts";
import { runs } from "../lane.ts";

interface Chain {
  entries: ChainEntry[];
  head: ChainHead;
}

type Act = Pick<ChainEntry, "kind" | "shelf" | "itemId" | "verb" | "call" | "space">;

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom(...JOURNALED_KINDS),
  shelf: fc.constantFrom("memory", "decision"),
  itemId: fc.constantFrom("a", "b", "c"),
  verb: fc.constantFrom("remember", "update", "forget"),
  call: fc.constantFrom("", "call-1", "call-2"),
  space: fc.constantFrom("", "here"),
});

/** What the journal writes for these acts: an erasure takes along what was kept of its item until then. */
function chainOf(acts: readonly Act[]): Chain {
  const entries: ChainEntry[] = [];
  for (const [index, { itemId, kind, ...rest }] of acts.entries()) {
    const keeps = kind === "revise_item" || kind === "remove_item";
    const payload = keeps ? { salt: `${index}`.padStart(32, "5"), text: JSON.stringify({ before: index }) } : null;
    if (kind === "purge_items" || kind === "redact_items")
      for (const entry of entries) if (entry.itemId === itemId) entry.payload = null;
    const fields = {
      seq: index + 1,
      transaction: index + 1,
      at: 1_000 + index,
      host: "cli",
      session: "s",
      ...rest,
      kind,
      itemId,
      payloadHash: payload && payloadHash(payload),
    };
    entries.push({ ...fields, hash: entryHash(entries.at(-1)?.hash ?? CHAIN_START, fields), payload });
  }
  return { entries, head: { length: entries.length, hash: entries.at(-1)?.hash ?? CHAIN_START } };
}

const chain = (minLength = 1) => fc.array(act, { minLength, maxLength: 12 }).map(chainOf);
/** A chain and two different numbers of it, in their order. */
const chainAndPair = fc.tuple(chain(2), fc.nat(), fc.nat()).map(([made, one, two]) => {
  const { length } = made.entries;
  const first = one % length;
  const other = (first + 1 + (two % (length - 1))) % length;
  return { ...made, low: Math.min(first, other) + 1, high: Math.max(first, other) + 1 };
});
const chainAndNumber = fc
  .tuple(chain(), fc.nat())
  .map(([made, seed]) => ({ ...made, number: (seed % made.entries.length) + 1 }));

function verify({ entries, head }: Chain): ChainVerdict {
  const walk = chainWalk(head);
  walk.add(entries);
  return walk.finish(head);
}

const named = (made: Chain) => verify(made).problems.map(({ problem, number }) => `${problem} ${number}`);
const messages = (made: Chain) => verify(made).problems.map(({ message }) => message);

/** The entries with one of them changed. */
const withEntry = (entries: readonly ChainEntry[], seq: number, set: Partial<ChainEntry>): ChainEntry[] =>
  entries.map((entry) => (entry.seq === seq ? { ...entry, ...set } : entry));

test("an untouched chain holds, whatever was erased, and in whatever portions it comes", () => {
  fc.assert(
    fc.property(chain(0), fc.integer({ min: 1, max: 5 }), ({ entries, head }, size) => {
      const walk = chainWalk(head);
      for (let from = 0; from < entries.length; from += size) walk.add(entries.slice(from, from + size));
      assert.deepEqual(walk.finish(head), { checked: entries.length, count: 0, problems: [] });
    }),
  );
});

/** Each field, and what somebody might write into it. */
const EDITS: { [K in keyof ChainEntry]?: ChainEntry[K][] } = {
  transaction: [99],
  at: [0],
  verb: ["rollback"],
  host: ["mcp"],
  session: [""],
  call: ["call-3"],
  space: ["", "there"],
  kind: ["insert_item", "purge_items", "revise_item"],
  shelf: ["proposal"],
  itemId: ["a", "z"],
  payloadHash: [null, "ab".repeat(32)],
  hash: ["cd".repeat(32), ""],
};
for (const [field, values] of Object.entries(EDITS)) {
  test(`an edited ${field} names its entry and no other`, () => {
    fc.assert(
      fc.property(chainAndNumber, fc.constantFrom(...values), ({ entries, head, number }, value) => {
        fc.pre(entries[number - 1]![field as keyof ChainEntry] !== value);
        const edited = withEntry(entries, number, { [field]: value });
        assert.deepEqual(named({ entries: edited, head }), [`edited ${number}`]);
      }),
      { numRuns: runs(60) },
    );
  });
}

test("a removed entry is missing, and so are several", () => {
  fc.assert(
    fc.property(chainAndPair, ({ entries, head, low, high }) => {
      const left = entries.filter(({ seq }) => seq < low || seq >= high);
      assert.deepEqual(named({ entries: left, head }), [`missing ${low}`]);
    }),
  );
  const { entries, head } = chainOf(Array.from({ length: 9 }, (_, index) => plain(`item-${index}`)));
  const left = entries.filter(({ seq }) => ![2, 5, 6, 7].includes(seq));
  assert.deepEqual(messages({ entries: left, head }), ["Entry 2 is missing.", "Entries 5 to 7 are missing."]);
});

const plain = (itemId: string, kind: Act["kind"] = "insert_item"): Act => ({
  kind,
  itemId,
  shelf: "memory",
  verb: "remember",
  call: "call-1",
  space: "here",
});

for (const along of [true, false]) {
  test(`two entries that changed places are named as a pair, what they keep ${along ? "with them" : "left behind"}`, () => {
    fc.assert(
      fc.property(chainAndPair, ({ entries, head, low, high }) => {
        const [one, other] = [entries[low - 1]!, entries[high - 1]!];
        const swapped = entries.with(low - 1, { ...other, seq: low }).with(high - 1, { ...one, seq: high });
        if (!along) {
          swapped[low - 1]!.payload = one.payload;
          swapped[high - 1]!.payload = other.payload;
        }
        assert.deepEqual(messages({ entries: swapped, head }), [`Entries ${low} and ${high} have swapped places.`]);
      }),
    );
  });
}

test("what is kept with entries that changed places is not edited or lost unnoticed", () => {
  const { entries, head } = chainOf([plain("a"), plain("b", "revise_item"), plain("c", "revise_item"), plain("d")]);
  const [, second, third] = entries as [ChainEntry, ChainEntry, ChainEntry, ChainEntry];
  const swapped = (payloads: [ChainEntry["payload"], ChainEntry["payload"]]) =>
    named({
      entries: entries
        .with(1, { ...third, seq: 2, payload: payloads[0] })
        .with(2, { ...second, seq: 3, payload: payloads[1] }),
      head,
    });
  const forged = { salt: "00", text: "something else" };
  assert.deepEqual(swapped([third.payload, second.payload]), ["moved 2"]);
  assert.deepEqual(swapped([second.payload, third.payload]), ["moved 2"]);
  assert.deepEqual(swapped([forged, second.payload]), ["moved 2", "payload_edited 3"]);
  assert.deepEqual(swapped([forged, forged]), ["moved 2", "payload_edited 2", "payload_edited 3"]);
  assert.deepEqual(swapped([null, second.payload]), ["moved 2", "payload_missing 3"]);
  assert.deepEqual(swapped([null, null]), ["moved 2", "payload_missing 2", "payload_missing 3"]);
});

test("entries that went round in a circle are named each", () => {
  const { entries, head } = chainOf(["a", "b", "c", "d", "e"].map((item) => plain(item)));
  const [, second, third, , fifth] = entries as [ChainEntry, ChainEntry, ChainEntry, ChainEntry, ChainEntry];
  const turned = entries
    .with(1, { ...third, seq: 2 })
    .with(2, { ...fifth, seq: 3 })
    .with(4, { ...second, seq: 5 });
  assert.deepEqual(messages({ entries: turned, head }), [
    "Entry 2 is now number 5.",
    "Entry 3 is now number 2.",
    "Entry 5 is now number 3.",
  ]);
});

test("a cut-off tail is named by its first entry", () => {
  fc.assert(
    fc.property(chain(), fc.nat(), ({ entries, head }, seed) => {
      const length = seed % entries.length;
      assert.deepEqual(named({ entries: entries.slice(0, length), head }), [`cut_off ${length + 1}`]);
    }),
  );
});

test("an entry the head does not know is named, also when its number was changed to get there", () => {
  fc.assert(
    fc.property(chainAndPair, ({ entries, head, low: number }) => {
      const earlier = { length: number, hash: entries[number - 1]!.hash };
      assert.deepEqual(named({ entries, head: earlier }), [`beyond_head ${number + 1}`]);
      for (const [seq, problems] of [
        [head.length + 5, [`missing ${number}`, `beyond_head ${head.length + 5}`]],
        [0, ["beyond_head 0", `missing ${number}`]],
      ] as const) {
        const renumbered = withEntry(entries, number, { seq }).sort((a, b) => a.seq - b.seq);
        assert.deepEqual(named({ entries: renumbered, head }), problems);
      }
    }),
  );
});

test("an edited head is named, whichever part of it", () => {
  fc.assert(
    fc.property(chain(), fc.nat({ max: 20 }), ({ entries, head }, length) => {
      assert.deepEqual(named({ entries, head: { ...head, hash: "ef".repeat(32) } }), [`head ${head.length}`]);
      fc.pre(length !== head.length);
      assert.deepEqual(named({ entries, head: { ...head, length } }), [`head ${length}`]);
    }),
  );
  assert.deepEqual(named({ entries: [], head: { length: 0, hash: "ef".repeat(32) } }), ["head 0"]);
});

test("what is wrong is said in words that name it", () => {
  const { entries, head } = chainOf(["a", "b", "c"].map((item) => plain(item)));
  const told: [Chain, string][] = [
    [{ entries: entries.slice(0, 2), head }, "Entry 3 is cut off at the end of the chain."],
    [{ entries: entries.slice(0, 1), head }, "Entries 2 to 3 are cut off at the end of the chain."],
    [{ entries: withEntry(entries, 1, { at: 7 }), head }, "Entry 1 does not agree with its hash: it was edited."],
    [{ entries: [], head: { length: 0, hash: "ef".repeat(32) } }, "The head of an empty chain was edited."],
    [
      { entries, head: { ...head, hash: "ef".repeat(32) } },
      "Entry 3 does not agree with the head: the head was edited, or entries up to this one were rewritten.",
    ],
    [{ entries, head: { ...head, length: 5 } }, "The head was edited: it says 5, but has the hash of 3."],
  ];
  for (const [made, message] of told) assert.deepEqual(messages(made), [message]);
});

test("who writes an entry and every later hash anew still meets the head", () => {
  fc.assert(
    fc.property(chain(), fc.nat(), ({ entries, head }, seed) => {
      const from = seed % entries.length;
      const anew = [...entries];
      for (let index = from; index < anew.length; index += 1) {
        const entry = { ...anew[index]!, ...(index === from ? { verb: "forged" } : {}) };
        anew[index] = { ...entry, hash: entryHash(anew[index - 1]?.hash ?? CHAIN_START, entry) };
      }
      assert.deepEqual(named({ entries: anew, head }), [`head ${head.length}`]);
    }),
  );
});

test("an entry replaced together with its hash shows at the next one, which says so", () => {
  const { entries, head } = chainOf(["a", "b", "c", "d"].map((item) => plain(item)));
  const forged = { ...entries[1]!, verb: "forged" };
  const replaced = withEntry(entries, 2, { ...forged, hash: entryHash(entries[0]!.hash, forged) });
  const [message, ...rest] = messages({ entries: replaced, head });
  assert.match(message!, /^Entry 3 .* or entry 2 was replaced/);
  assert.deepEqual(rest, []);
});

test("what an entry keeps may not be edited, added or lost, unless an erasure says so", () => {
  fc.assert(
    fc.property(chainAndNumber, ({ entries, head, number }) => {
      const { payload } = entries[number - 1]!;
      const other = { salt: payload?.salt ?? "00", text: "something else" };
      const edited = withEntry(entries, number, { payload: other });
      assert.deepEqual(named({ entries: edited, head }), [`payload_edited ${number}`]);
      const lost = withEntry(entries, number, { payload: null });
      assert.deepEqual(named({ entries: lost, head }), payload ? [`payload_missing ${number}`] : []);
    }),
  );
});

test("an erasure excuses what was kept before it, and nothing after it or of others", () => {
  const acts = [
    plain("a", "revise_item"),
    plain("a", "purge_items"),
    plain("a", "revise_item"),
    plain("b", "remove_item"),
  ];
  const { entries, head } = chainOf(acts);
  const bare = entries.map((entry) => ({ ...entry, payload: null }));
  assert.deepEqual(named({ entries: bare, head }), ["payload_missing 3", "payload_missing 4"]);
});

test("a drop of old states excuses those of memories up to its number, and none of decisions", () => {
  const acts = [
    plain("a", "revise_item"),
    { ...plain("b", "revise_item"), shelf: "decision" as const },
    plain("c", "revise_item"),
    plain(droppedName(2), "drop_payloads"),
  ];
  const { entries, head } = chainOf(acts);
  const bare = entries.map((entry) => ({ ...entry, payload: null }));
  assert.deepEqual(named({ entries: bare, head }), ["payload_missing 2", "payload_missing 3"]);
  // One that claims entries after itself is believed only up to itself.
  const bold = chainOf([plain("a", "revise_item"), plain(droppedName(9), "drop_payloads"), plain("b", "remove_item")]);
  const emptied = bold.entries.map((entry) => ({ ...entry, payload: null }));
  assert.deepEqual(named({ entries: emptied, head: bold.head }), ["payload_missing 3"]);
  const dropped = withEntry(entries, 1, { payload: null });
  for (const set of [{ kind: "insert_item" as const }, { itemId: "z" }, { at: 7 }])
    assert.deepEqual(named({ entries: withEntry(dropped, 4, set), head }), ["edited 4"]);
});

test("an erasure that was itself edited or lost still excuses, and no more than it may have", () => {
  const { entries, head } = chainOf([plain("b"), plain("a", "revise_item"), plain("a", "purge_items"), plain("c")]);
  for (const set of [{ kind: "insert_item" as const }, { itemId: "z" }, { at: 7 }])
    assert.deepEqual(named({ entries: withEntry(entries, 3, set), head }), ["edited 3"]);
  assert.deepEqual(named({ entries: entries.toSpliced(2, 1), head }), ["missing 3"]);
  assert.deepEqual(named({ entries: entries.slice(0, 2), head }), ["cut_off 3"]);

  const unrelated = withEntry(withEntry(entries, 1, { at: 7 }), 4, { itemId: "d" });
  assert.deepEqual(named({ entries: unrelated, head }), ["edited 1", "edited 4"]);
  const kept = chainOf([plain("a"), plain("b"), plain("a", "revise_item"), plain("b", "remove_item"), plain("c")]);
  const lost = withEntry(kept.entries, 3, { payload: null });
  assert.deepEqual(named({ ...kept, entries: lost.toSpliced(1, 1) }), ["missing 2", "payload_missing 3"]);
  const editedToo = withEntry(lost, 4, { at: 7 });
  assert.deepEqual(named({ ...kept, entries: editedToo }), ["payload_missing 3", "edited 4"]);
});

test("a gap over the end of the chain is told as far as the chain went", () => {
  const { entries, head } = chainOf(["a", "b", "c"].map((item) => plain(item)));
  const torn = withEntry(entries, 3, { seq: 9 });
  assert.deepEqual(messages({ entries: torn, head }), [
    "Entry 3 is missing.",
    "Entry 9 is not known to the head, which ends at 3.",
  ]);
  const longer = chainOf(["a", "b", "c", "d", "e"].map((item) => plain(item)));
  const early = { length: 3, hash: longer.entries[2]!.hash };
  assert.deepEqual(messages({ entries: withEntry(longer.entries, 5, { seq: 9 }), head: early }), [
    "Entries 4 to 9 are not known to the head, which ends at 3.",
  ]);
});

test("what is appended during the walk is no fault, also when it erases", () => {
  fc.assert(
    fc.property(chainAndNumber, ({ entries, head, number }) => {
      const early = { length: number, hash: entries[number - 1]!.hash };
      const walk = chainWalk(early);
      walk.add(entries);
      assert.deepEqual(walk.finish(head).problems, []);
    }),
  );
});

test("the list is bounded, the count is not", () => {
  const { entries, head } = chainOf(Array.from({ length: 300 }, (_, index) => plain(`item-${index}`)));
  const { count, problems, checked } = verify({ entries: entries.map((entry) => ({ ...entry, at: 7 })), head });
  assert.deepEqual([count, problems.length, checked], [300, PROBLEMS_LIMIT, 300]);
  assert.deepEqual(problems.at(-1)?.number, PROBLEMS_LIMIT);
});

test("among more than a hundred that do not fit, none is looked for elsewhere, and any may have been an erasure", () => {
  const acts = Array.from({ length: 120 }, (_, index) =>
    plain(`item-${index}`, index < 10 ? "insert_item" : "revise_item"),
  );
  const { entries, head } = chainOf(acts);
  /** So many in front are edited, then the last two change places; the one before them has lost what it kept. */
  const spoilt = (edited: number) => {
    const all = entries.map((entry) => (entry.seq <= edited ? { ...entry, at: 7 } : entry));
    return all
      .with(117, { ...all[117]!, payload: null })
      .with(118, { ...all[119]!, seq: 119 })
      .with(119, { ...all[118]!, seq: 120 });
  };
  const last = (edited: number) => {
    const walk = chainWalk(head);
    walk.add(spoilt(edited));
    return walk.finish(head).count - edited;
  };
  // Within the bound: what was lost, and one pair. Beyond: two edited entries, which excuse what was lost, and the head.
  assert.deepEqual([last(98), last(99), last(100)], [2, 3, 3]);
});
