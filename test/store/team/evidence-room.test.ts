/** The bound on evidence holds for what the team's server has, not for the file of this machine. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { absorb } from "../../../src/sessions/absorb.ts";
import { teamStore } from "../../../src/store/team/store.ts";
import { temporaryFolder, testWorld } from "../../test-world.ts";
import { freshStore } from "../fresh-store.ts";
import { put } from "../suite/trial.ts";

test("evidence is kept while the server has room for it, and then no longer", async () => {
  const folder = temporaryFolder();
  const world = await testWorld({ folder });
  const server = await freshStore({ path: join(folder, "server.db"), kind: "project", clock: world.clock });
  const capture = { ...world.settings.capture, evidenceMegabytes: 4 };
  const team = {
    ...world,
    settings: { ...world.settings, capture },
    project: teamStore({ shared: server, own: world.project }),
  };
  const kept = async (transcript: string) => {
    const said = [
      { kind: "prompt", text: `Please make the ${transcript} beacon green` },
      { kind: "reply", text: `The ${transcript} beacon is green now.` },
    ] as const;
    const events = said.map((one, line) => ({ line, at: world.clock.now(), branch: null, ...one }));
    const batch = { events, skipped: 0, offset: 2, lines: 2, endedBy: "session_end" as const };
    return (await absorb({ transcript, session: transcript, host: "codex", cwd: null }, batch, null, team))?.evidence
      .length;
  };
  assert.equal(await kept("first"), 1);
  await put(server, "evidence", { content: "beacon ".repeat(600_000) });
  assert.ok((await world.project.size()).bytes < 4_000_000);
  assert.equal(await kept("second"), 0);
  await server.close();
});
