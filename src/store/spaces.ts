/** The registry of spaces. Only the global store has the table; elsewhere these changes are a defect. */
import type { Space } from "../memory/space.ts";
import { count, type Room, rows, sql, type Writers } from "./sql.ts";
import type { SpaceReads } from "./store.ts";

export const spaceReads: Room<SpaceReads> = {
  spaces: () =>
    rows(sql`
      select id, key, root, remote, first_commit as "firstCommit", created_at as "createdAt"
      from space order by created_at, id`),
};

export const insertSpace = ({ id, key, root, remote, firstCommit, createdAt }: Space) =>
  count(sql`
    insert into space (id, key, root, remote, first_commit, created_at)
    values (${id}, ${key}, ${root}, ${remote}, ${firstCommit}, ${createdAt}) on conflict do nothing`);

export const spaceWriters: Writers<"insert_space" | "move_space"> = {
  *insert_space({ space }) {
    return (yield* insertSpace(space)) === 1 ? null : `a space for ${space.key} is there already`;
  },
  *move_space({ id, expectedKey, space: { key, root, remote, firstCommit } }) {
    const moved = yield* count(sql`
      update space set key = ${key}, root = ${root}, remote = ${remote}, first_commit = ${firstCommit}
      where id = ${id} and key = ${expectedKey}
        and not exists (select 1 from space other where other.key = ${key} and other.id <> ${id})`);
    return moved === 1 ? null : `space ${id} is no longer at ${expectedKey}`;
  },
};
