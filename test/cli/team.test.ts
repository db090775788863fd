/** `stele team` where the settings name no server, or no longer. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runTeam, type Team } from "../../src/cli/team.ts";
import { openTeam } from "../../src/team/compose-team.ts";
import { copyProject, planCopy } from "../../src/transfer/copy-project.ts";
import { streams } from "../hosts/fixtures/streams.ts";
import { freshStore } from "../store/fresh-store.ts";
import { keep, testWorld } from "../test-world.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-team-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const place = { home: join(folder, "home"), project: join(folder, "project") };
mkdirSync(place.project);

async function team(...argv: string[]): Promise<{ code: number; said: string }> {
  const { io, out, err } = streams({ stdin: "" });
  const code = await runTeam(argv, { io, attended: false, open: ({ user }) => openTeam({ ...place, user }) });
  return { code, said: `${out()}${err()}` };
}

test("status says that the project is not shared, and what needs a server says where to name it", async () => {
  const { code, said } = await team("status");
  assert.deepEqual([code, said.split("\n")[0]], [0, "This project is not shared."]);
  for (const command of ["init", "join", "push"]) {
    const refused = await team(command, "--name", "app", "--yes");
    assert.equal(refused.code, 5);
    assert.ok(refused.said.includes(`Name it in ${join(place.home, "config.json")}, such as`), refused.said);
  }
});

test("a shared project can be left although the settings name no server any more", async () => {
  const opened = await openTeam(place);
  await opened.share("stele_app", true);
  await opened.close();
  assert.equal((await team("status")).code, 5);
  assert.equal((await team("leave", "--yes")).code, 0);
  assert.match((await team("status")).said, /not shared/);
});

test("a push brings what was remembered here while it copied, too", async () => {
  const world = await testWorld({ folder: join(folder, "pushed") });
  const server = await freshStore({ path: join(folder, "server.db"), kind: "project", clock: world.clock });
  await keep(world, "The first memory");
  const found = { server: "p", user: "me", role: "writer", granted: "writer", mayWrite: true } as const;
  let isShared = false;
  const opened: Team = {
    server: "db",
    here: { remote: null, firstCommit: null },
    shared: () => null,
    schemaNamed: () => "stele_app",
    make: async () => ({ isKnown: true }),
    waiting: async () => 0,
    unshare: () => undefined,
    close: async () => undefined,
    projects: async () => [{ schema: "stele_app", remote: null, firstCommit: null }],
    condition: async () => ({ ...found, isEncrypted: true, version: 1, newest: 1, extensions: [], roundTripMs: 1 }),
    plan: () => planCopy(world.project, server),
    async copy() {
      const copied = await copyProject(world.project, server, world);
      if (!isShared) await keep(world, "Remembered by a server that runs");
      return copied;
    },
    share: async () => void (isShared = true),
  };
  const { io, out } = streams({ stdin: "" });
  assert.equal(await runTeam(["push", "--name", "app", "--yes"], { io, attended: false, open: async () => opened }), 0);
  assert.match(out(), /^Items: 2 new, 0 newer than before, 0 there already\./m);
  assert.equal((await server.newestIds("memory", 5)).length, 2);
  await server.close();
});
