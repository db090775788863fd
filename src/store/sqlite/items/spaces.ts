/** The registry of spaces. Only the global store has the table; elsewhere these changes are a defect. */
import type { Change } from "../../../model/journal/change.ts";
import type { Space } from "../../../model/memory/space.ts";
import type { SpaceReads } from "../../../ports/store/spaces.ts";
import type { Database } from "../connection/database.ts";
import type { Sync } from "../connection/reads.ts";

interface SpaceRow {
  id: string;
  key: string;
  root: string;
  remote: string | null;
  first_commit: string | null;
  created_at: number;
}

export function readSpaces(db: Database): Space[] {
  return db
    .prepare<[], SpaceRow>(`select id, key, root, remote, first_commit, created_at from space order by created_at, id`)
    .all()
    .map((row) => ({
      id: row.id,
      key: row.key,
      root: row.root,
      remote: row.remote,
      firstCommit: row.first_commit,
      createdAt: row.created_at,
    }));
}

const toRow = (space: Space): SpaceRow => ({
  id: space.id,
  key: space.key,
  root: space.root,
  remote: space.remote,
  first_commit: space.firstCommit,
  created_at: space.createdAt,
});

export const spaceReads = (db: Database): Sync<SpaceReads> => ({ spaces: () => readSpaces(db) });

export function spaceWriter(db: Database) {
  const insert = db.prepare(`
    insert into space (id, key, root, remote, first_commit, created_at)
    values (@id, @key, @root, @remote, @first_commit, @created_at)
    on conflict do nothing`);
  const move = db.prepare(`
    update or ignore space set key = @key, root = @root, remote = @remote, first_commit = @first_commit
    where id = @id and key = @expectedKey`);
  return {
    insert_space({ space }: Extract<Change, { kind: "insert_space" }>): string | null {
      return insert.run(toRow(space)).changes === 1 ? null : `a space for ${space.key} is there already`;
    },
    move_space({ id, expectedKey, space }: Extract<Change, { kind: "move_space" }>): string | null {
      return move.run({ ...toRow(space), id, expectedKey }).changes === 1
        ? null
        : `space ${id} is no longer at ${expectedKey}`;
    },
  };
}
