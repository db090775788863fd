/** Which evidence decisions rest on: kept true by the kernel, read without it. */
import assert from "node:assert/strict";
import { type DecisionStore, type Trials, active, apply, idsOf, put, removal, revision } from "../trial.ts";

const about = async (store: DecisionStore, ...subjects: string[]) =>
  idsOf(await store.evidenceAbout(subjects, active, 9));

/** A decision about a subject that rests on the given evidence. */
const resting = (store: DecisionStore, title: string | null, evidence: unknown) =>
  put(store, "decision", { title, details: { evidence } }, { texts: ["decided"] });

export function testLinks({ once }: Trials<DecisionStore>): void {
  once("evidence is found by the subject of what rests on it", async (store) => {
    const [one, two] = [
      await put(store, "evidence", { createdAt: 1 }, { texts: ["first", "second"] }),
      await put(store, "evidence", { createdAt: 2 }, { texts: ["third"] }),
    ];
    await resting(store, "auth", [one.id, two.id, one.id, "gone"]);
    await resting(store, "keys", [two.id]);
    assert.deepEqual((await store.subjectsOfEvidence()).toSorted(), ["auth", "keys"]);
    assert.deepEqual(await about(store, "auth", "keys"), [two.id, one.id], "once each, the newest first");
    assert.deepEqual(await about(store, "keys"), [two.id]);
    assert.deepEqual(await about(store, "Auth"), [], "subjects are told as they are written");
    const early = await store.evidenceAbout(["auth"], { ...active, createdBefore: 2 }, 1);
    const passages = await store.passages(
      "evidence",
      early.map(({ passage }) => passage),
    );
    assert.deepEqual(
      passages.map(({ text }) => text),
      ["first"],
    );
  });

  once("links follow the decision: edited, taken back, erased", async (store) => {
    const said = await put(store, "evidence", {}, { texts: ["said"] });
    const other = await put(store, "evidence", {}, { texts: ["other"] });
    const decision = await resting(store, "auth", [said.id]);
    await apply(store, revision("decision", decision, { title: "login", details: { evidence: [other.id] } }));
    assert.deepEqual([await about(store, "auth"), await about(store, "login")], [[], [other.id]]);
    await apply(store, { kind: "purge_items", ids: [other.id], queries: [] });
    assert.deepEqual(await store.subjectsOfEvidence(), [], "what was erased is no evidence any more");
    await apply(store, revision("decision", { ...decision, version: 2 }, { details: { evidence: [said.id] } }));
    assert.deepEqual(await about(store, "login"), [said.id]);
    await apply(store, removal("decision", { ...decision, version: 3 }));
    assert.deepEqual(await store.subjectsOfEvidence(), []);
  });

  once("odd details link nothing", async (store) => {
    const said = await put(store, "evidence", {}, { texts: ["said"] });
    const odd = [undefined, null, 5, said.id, { a: said.id }, [5, null, [said.id]]];
    for (const evidence of odd) await resting(store, "auth", evidence);
    await resting(store, null, [said.id]);
    assert.deepEqual(await store.subjectsOfEvidence(), []);
  });

  once("decisions are told in outline, whether they hold or not, until they expire", async (store) => {
    const window = { validFrom: 3, validUntil: 4, supersededBy: "next" };
    const { id, createdAt } = await put(store, "decision", { title: "auth", status: "superseded", ...window });
    const plain = await put(store, "decision", { title: null, expiresAt: 100, createdAt: 7 });
    await put(store, "memory", { title: "auth" });
    const nothing = { title: null, validFrom: null, validUntil: null, supersededBy: null };
    const first = { id, title: "auth", status: "superseded", createdAt, ...window };
    const second = { ...nothing, id: plain.id, status: "active", createdAt: 7 };
    const told = async (now: number) => (await store.decisionOutlines(now)).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    assert.deepEqual(
      await told(99),
      [first, second].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
    assert.deepEqual(await told(100), [first]);
  });

  once("decisions are found by what they name as related", async (store) => {
    const naming = (relates: unknown) => put(store, "decision", { details: { relates } });
    const [one, two] = [await naming(["a", "b", "a"]), await naming(["b"])];
    for (const other of ["a", { a: "a" }, [], null, 5, [["a"]]]) await naming(other);
    const named = async (id: string) => (await store.decisionsRelatingTo(id)).toSorted();
    assert.deepEqual(await named("a"), [one.id]);
    assert.deepEqual(await named("b"), [one.id, two.id].toSorted());
    assert.deepEqual(await named("c"), []);
    await apply(store, revision("decision", two, { details: { relates: ["c"] } }));
    assert.deepEqual([await named("b"), await named("c")], [[one.id], [two.id]]);
  });
}
