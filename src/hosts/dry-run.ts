/**
 * The world of a dry run, whose writes are rolled back.
 *
 * Both stores check and count every change and then roll it back, so a dry run fails where
 * the real run would. No file outside the stores is written either. Work after the answer is
 * skipped, and so is embedding: with every lease rolled back, it would embed the same passages for ever.
 */
import { type ReportedChange, isReported } from "../model/journal/change-words.ts";
import type { Backups } from "../ports/backups.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { Files } from "../ports/files.ts";
import type { Spool } from "../ports/spool.ts";
import { decorated } from "../ports/store/decorated.ts";
import type { Store } from "../ports/store/store.ts";
import type { World } from "../ports/world.ts";
import { dryRunCheckpoints } from "./dry-run-checkpoints.ts";
import { dryRunLinks } from "./dry-run-links.ts";

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
