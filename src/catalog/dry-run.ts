/**
 * The world of a dry run, whose writes are rolled back.
 *
 * Both stores check and count every change and then roll it back, so a dry run fails where
 * the real run would. No file outside the stores is written either. Work after the answer is
 * skipped, and so is embedding: with every lease rolled back, it would embed the same passages for ever.
 */
import type { Edge } from "../graph/edges.ts";
import { type Change, isReported, type ReportedChange } from "../journal/change.ts";
import type { Backups, Embedder, Files, Spool } from "../ports.ts";
import type { Checkpoint } from "../sessions/session.ts";
import { type CaptureReads, decorated, type EdgeReads, type Store } from "../store/store.ts";
import type { World } from "../world.ts";

/**
 * The checkpoints that a dry run saves, kept beside the store, which rolls them back: a transcript is read in steps, and
 * each begins where the one before ended.
 */
interface DryRunCheckpoints {
  reads: Pick<CaptureReads, "checkpoint">;
  /** The changes as the store can check them: for the store, no checkpoint ever moves. */
  asStored(changes: readonly Change[]): Change[];
  /** Called when they would have been written. */
  note(changes: readonly Change[]): void;
}

type Stored = Pick<Checkpoint, "offset" | "updatedAt"> | null;

function dryRunCheckpoints(store: CaptureReads): DryRunCheckpoints {
  const saved = new Map<string, Checkpoint | null>();
  /** As the store has them. */
  const before = new Map<string, Stored>();
  return {
    reads: {
      async checkpoint(transcript) {
        const found = saved.get(transcript);
        if (found !== undefined) return found;
        const stored = await store.checkpoint(transcript);
        before.set(transcript, stored);
        return stored;
      },
    },
    asStored: (changes) =>
      changes.map((change) => {
        if (change.kind !== "save_checkpoint" || !saved.has(change.checkpoint.transcript)) return change;
        const { expectedUpdatedAt: _, ...rest } = change;
        return { ...rest, expectedOffset: before.get(change.checkpoint.transcript)?.offset ?? null };
      }),
    note(changes) {
      for (const change of changes) {
        if (change.kind === "save_checkpoint") saved.set(change.checkpoint.transcript, change.checkpoint);
        if (change.kind === "drop_checkpoints") for (const name of change.transcripts) saved.set(name, null);
      }
    },
  };
}

/**
 * The links that a dry run makes, kept beside the store, which rolls them back: how many are linked next depends on them.
 */
type Linking = Extract<Change, { kind: "link_memories" }>;

interface DryRunLinks {
  reads: Pick<EdgeReads, "edgesOf" | "unlinked" | "unlinkedAmong">;
  /** The changes as the store can check them: for the store, the mark never moves. */
  asStored(changes: readonly Change[]): Change[];
  /** Called when they would have been written. */
  note(changes: readonly Change[]): Promise<void>;
}

function dryRunLinks(store: EdgeReads): DryRunLinks {
  /** Where the store's mark was and where it would be. */
  let mark: { stored: number; now: number } | null = null;
  const [removed, made] = [edgeSet(), edgeSet()];

  async function link({ after, upTo, removed: ids, made: added }: Linking): Promise<void> {
    mark = { stored: mark?.stored ?? after, now: upTo };
    for (const edge of await store.edges("memory", ids)) removed.add(edge);
    for (const id of ids) made.delete(id);
    for (const edge of added) made.add(edge);
  }

  return {
    reads: {
      async edgesOf(shelf, ids, query) {
        const stored = await store.edgesOf(shelf, ids, query);
        if (!mark || shelf !== "memory" || query.made === false) return stored;
        return [...stored.filter((edge) => !removed.has(edge)), ...new Set(ids.flatMap(made.touching))];
      },
      unlinked: (limit) => store.unlinked(limit, mark?.now),
      unlinkedAmong: store.unlinkedAmong,
    },
    asStored: (changes) =>
      changes.map((change) =>
        change.kind === "link_memories" && change.after === mark?.now ? { ...change, after: mark.stored } : change,
      ),
    async note(changes) {
      for (const change of changes) if (change.kind === "link_memories") await link(change);
    },
  };
}

interface EdgeSet {
  add(edge: Edge): void;
  delete(id: string): void;
  has(edge: Edge): boolean;
  touching(id: string): Edge[];
}

/** Edges, found by either end. */
function edgeSet(): EdgeSet {
  const byId = new Map<string, Edge>();
  const byEnd = new Map<string, Map<string, Edge>>();
  return {
    add(edge) {
      byId.set(edge.id, edge);
      for (const end of [edge.source, edge.target])
        byEnd.set(end, (byEnd.get(end) ?? new Map<string, Edge>()).set(edge.id, edge));
    },
    delete(id) {
      const edge = byId.get(id);
      if (edge) for (const end of [edge.source, edge.target]) byEnd.get(end)?.delete(id);
      byId.delete(id);
    },
    has: ({ id }) => byId.has(id),
    touching: (id) => [...(byEnd.get(id)?.values() ?? [])],
  };
}

export function dryRunWorld(world: World): { world: World; changes: ReportedChange[] } {
  const changes: ReportedChange[] = [];
  const rolledBack = (store: Store): Partial<Store> => {
    const [links, checkpoints] = [dryRunLinks(store), dryRunCheckpoints(store)];
    return {
      ...links.reads,
      ...checkpoints.reads,
      async apply(planned, origin) {
        const applied = await store.apply(checkpoints.asStored(links.asStored(planned)), origin, { dryRun: true });
        // A refused plan is made again; only the one that would have been committed counts.
        if (applied.status === "applied") {
          changes.push(...planned.filter(isReported));
          await links.note(planned);
          checkpoints.note(planned);
        }
        return applied;
      },
      goFirst: (work) => work(),
      compact: async () => true,
    };
  };
  return {
    world: {
      ...world,
      project: decorated(world.project, rolledBack),
      global: decorated(world.global, rolledBack),
      embedder: withoutDraining(world.embedder),
      remoteEmbedder: null,
      // Asking would cost the real run its tokens.
      llm: { ...world.llm, identity: null },
      backups: describing(world.backups),
      spool: withoutDigesting(world.spool),
      otherSpaces: { ...world.otherSpaces, erase: async () => [] },
      files: withoutWriting(world.files),
      // A dry run indexes nothing, so no other caller may share it, and it may not join a real run.
      indexing: { turns: new Map(), keepers: new Set(), isWanted: false },
      afterwards: { ...world.afterwards, add: () => undefined },
    },
    changes,
  };
}

/** Questions are still embedded, because results depend on them; pending passages are not. */
function withoutDraining(embedder: Embedder): Embedder {
  return { ...embedder, state: () => "absent", load: async () => undefined };
}

function describing(backups: Backups): Backups {
  return {
    ...backups,
    take: (reason) => backups.take(reason, { dryRun: true }),
    restore: (id, stores) => backups.restore(id, stores, { dryRun: true }),
    erase: (ids, queries) => backups.erase(ids, queries, { dryRun: true }),
    rewrite: (work) => backups.rewrite(work, { dryRun: true }),
  };
}

function withoutDigesting(spool: Spool): Spool {
  const nothing = async () => undefined;
  return { ...spool, remove: nothing, pause: nothing, resume: nothing };
}

/** The content is still produced and measured, so that a failure of the real run shows up here. */
function withoutWriting(files: Files): Files {
  return {
    ...files,
    async draft(_path, lines) {
      const measured = { lines: 0, bytes: 0 };
      for await (const line of lines) {
        measured.lines += 1;
        measured.bytes += Buffer.byteLength(line) + 1;
      }
      return { ...measured, keep: async () => undefined, drop: async () => undefined };
    },
    append: async () => undefined,
    remove: async () => undefined,
  };
}
