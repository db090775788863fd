/**
 * The store of a shared project: the server's, and what stays on this machine, as one.
 *
 * One transaction may be divided. What is here is written first and what must go from here last, so that a failure in
 * between leaves a memory twice rather than nowhere.
 */
import { Failure, isForbidden } from "../../errors.ts";
import type { Applied, Change, Origin } from "../../journal/change.ts";
import { handleOf } from "../../memory/handles.ts";
import { saysUnknown } from "../postgres/failures.ts";
import type { ApplyOptions, Store } from "../store.ts";
import { divideChanges } from "./divide-changes.ts";
import { ownAmong, type Parts } from "./parts.ts";
import {
  captureReads,
  careReads,
  contextReads,
  corpusReads,
  decisionReads,
  edgeReads,
  itemReads,
  journalReads,
  otherReads,
  queueReads,
  reportOf,
  searchReads,
  sessionReads,
  type SharedLeases,
} from "./reads.ts";

export function teamStore(parts: Parts): Store {
  const { own, shared } = parts;
  const leases: SharedLeases = { refusedUntil: 0 };
  return {
    parts: [own, shared],
    get readOnly() {
      return own.readOnly;
    },
    refusal: async (shelf) => (await shared.refusal?.(shelf)) ?? null,
    fault: () => own.fault() ?? shared.fault(),
    apply: (changes, origin, options) => applyDivided(changes, origin, options, { ...parts, leases }),
    ...itemReads(parts),
    ...edgeReads(parts),
    ...searchReads(parts),
    ...queueReads(parts, leases),
    ...journalReads(parts),
    ...decisionReads(parts),
    ...corpusReads(parts),
    ...captureReads(parts),
    ...contextReads(parts),
    ...sessionReads(parts),
    ...careReads(parts),
    ...otherReads(parts),
    report: () => reportOf(parts),
    goFirst: (work) => own.goFirst(() => shared.goFirst(work)),
    compact: () => own.compact(),
    async close() {
      try {
        await shared.close();
      } finally {
        await own.close();
      }
    },
  };
}

async function applyDivided(
  changes: readonly Change[],
  origin: Origin,
  options: ApplyOptions | undefined,
  parts: Parts & { leases: SharedLeases },
): Promise<Applied> {
  const divided = await divideChanges(changes, parts);
  if ("status" in divided) return divided;
  const { own, shared, last, undo } = divided;
  let applied: Applied = { status: "applied", transaction: null };
  if (own.length > 0) {
    const here = await parts.own.apply(own, origin, options);
    if (here.status === "conflict") return here;
  }
  if (shared.length > 0) {
    const takeBack = async () => {
      if (undo.length > 0 && !options?.dryRun) await parts.own.apply(undo, origin, options);
    };
    try {
      applied = await applyShared(shared, origin, options, parts);
    } catch (thrown) {
      // Any other failure, also of a server that is away, says that it has committed nothing.
      if (!saysUnknown(thrown)) await takeBack();
      throw thrown;
    }
    if (applied.status === "conflict") {
      await takeBack();
      return applied;
    }
  }
  if (last.length > 0 && !options?.dryRun)
    await finishHere(last, parts, (some) => parts.own.apply(some, origin, options));
  return applied;
}

/**
 * What leaves this machine now that the server has its part. Whoever changed a memory here meanwhile was told that this is
 * stored, so that memory stays, and is named. One that is gone by now needs nothing more, nor does a mark that moved.
 */
async function finishHere(
  last: readonly Change[][],
  parts: Parts,
  apply: (changes: readonly Change[]) => Promise<Applied>,
): Promise<void> {
  if ((await apply(last.flat())).status === "applied") return;
  const refused: Change[] = [];
  for (const some of last) if ((await apply(some)).status === "conflict") refused.push(...some);
  const ids = refused.flatMap((change) => (change.kind === "revise_item" ? [change.id] : []));
  const still = [...(await ownAmong(ids, parts))].map(handleOf);
  if (still.length === 0) return;
  throw new Failure(
    "conflict",
    `The server has stored its part, but this was changed on this machine meanwhile and is still here, too: ${still.join(", ")}.`,
    "`stele get` shows what is here. `stele forget` removes only that; then the team's is found again.",
  );
}

/** Bookkeeping of searches; what is not noted now is found again, also by somebody who may write. */
const MAY_WAIT: readonly Change["kind"][] = ["adopt_embedder", "touch_items", "lease_passages", "store_vectors"];

/** A role may be given at any time. */
const REFUSED_MS = 5_000;

async function applyShared(
  changes: readonly Change[],
  origin: Origin,
  options: ApplyOptions | undefined,
  { shared, leases }: Parts & { leases: SharedLeases },
): Promise<Applied> {
  try {
    return await shared.apply(changes, origin, options);
  } catch (thrown) {
    const isUnavailable = thrown instanceof Failure && thrown.code === "unavailable";
    const mayWait = changes.every(({ kind }) => MAY_WAIT.includes(kind));
    if (!mayWait || !(isUnavailable || isForbidden(thrown))) throw thrown;
    // Whoever took a passage for leased would embed it again and again.
    const lease = changes.find((change) => change.kind === "lease_passages");
    if (!lease) return { status: "applied", transaction: null };
    if (isForbidden(thrown)) leases.refusedUntil = lease.at + REFUSED_MS;
    return { status: "conflict", kind: lease.kind, reason: "your role does not allow it, or the server is away" };
  }
}
