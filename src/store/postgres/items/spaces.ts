/** The registry of spaces. Only the global store has the table; elsewhere these changes are a defect. */
import type { Change } from "../../../model/journal/change.ts";
import type { Space } from "../../../model/memory/space.ts";
import type { SpaceReads } from "../../../ports/store/spaces.ts";
import type { Database } from "../connection/database.ts";

export function spaceReads(db: Database): SpaceReads {
  const all = db.prepare<Space>(`
    select id, key, root, remote, first_commit as "firstCommit", created_at as "createdAt"
    from space order by created_at, id`);
  return { spaces: () => all.all() };
}

export function spaceWriter(db: Database) {
  const insert = db.prepare(`
    insert into space (id, key, root, remote, first_commit, created_at)
    values (@id, @key, @root, @remote, @firstCommit, @createdAt) on conflict do nothing`);
  const move = db.prepare(`
    update space set key = @key, root = @root, remote = @remote, first_commit = @firstCommit
    where id = @id and key = @expectedKey and not exists (select 1 from space other where other.key = @key and other.id <> @id)`);
  return {
    async insert_space({ space }: Extract<Change, { kind: "insert_space" }>): Promise<string | null> {
      return (await insert.run({ ...space })) === 1 ? null : `a space for ${space.key} is there already`;
    },
    async move_space({ id, expectedKey, space }: Extract<Change, { kind: "move_space" }>): Promise<string | null> {
      const moved = await move.run({ ...space, id, expectedKey });
      return moved === 1 ? null : `space ${id} is no longer at ${expectedKey}`;
    },
  };
}
