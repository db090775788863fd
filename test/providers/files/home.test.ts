/** A data folder that cannot be one: everybody who needs it says why, in the same words. */
import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openDoctor } from "../../../src/app/compose-doctor.ts";
import { openEncryption } from "../../../src/app/compose-encryption.ts";
import { Failure, open } from "../../../src/index.ts";
import { createHome } from "../../../src/providers/files/home.ts";
import { createHostFiles } from "../../../src/providers/files/host-files.ts";
import { runChild } from "../../child.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-home-"));
const at = (...names: string[]) => join(folder, ...names);
const closed = at("closed");
after(() => {
  chmodSync(closed, 0o700);
  rmSync(folder, { recursive: true });
});
writeFileSync(at("file"), "");
mkdirSync(closed);
chmodSync(closed, 0);
symlinkSync("round", at("round"));
symlinkSync("nowhere", at("dangling"));

const unusable: [name: string, home: string, why: RegExp][] = [
  ["a file", at("file"), /: it is not a folder\.$/],
  ["in a file", at("file", "a", "b"), /: .*file is not a folder\.$/],
  ["closed to us", closed, /no permission/],
  ["in a folder that is closed to us", join(closed, "data"), /no permission/],
  ["of a name that is too long", at("x".repeat(300)), /xxx….* its path is too long\.$/],
  ["of a path that is too long", at(...Array<string>(3_000).fill("abc")), /too long/],
  ["a link to itself", at("round"), /leads back to itself/],
  ["a link to nothing", at("dangling"), /leads nowhere/],
  ["of a name with a NUL", at("a\0b"), /NUL/],
];
for (const [name, home, why] of unusable)
  test(`refused: a data folder that is ${name}`, async () => {
    const isSaid = (thrown: unknown) => {
      assert.ok(thrown instanceof Failure);
      assert.equal(thrown.code, "unavailable");
      assert.match(thrown.message, /^The data folder .* cannot be used: /);
      assert.match(thrown.message, why);
      assert.match(thrown.hint, /STELE_HOME/);
      return true;
    };
    await assert.rejects(open({ home, project: folder }), isSaid);
    await assert.rejects(openDoctor({ home, project: folder }), isSaid);
    assert.throws(() => openEncryption({ home }), isSaid);
    assert.throws(() => createHome(home).state(), isSaid);
  });

test("a hook says nothing of such a folder, and ends well", async () => {
  const hook = new URL("../../../src/launch.ts", import.meta.url).href;
  const code = `import { launchHook } from ${JSON.stringify(hook)}; process.exit(await launchHook(process.argv.slice(1)));`;
  for (const home of [at("file"), at("file", "a"), closed, at("round")]) {
    const ended = await runChild(null, ["--input-type=module", "--eval", code, "--", "hook"], {
      env: { ...process.env, STELE_HOME: home },
      input: JSON.stringify({ session_id: "s", hook_event_name: "UserPromptSubmit", prompt: "Deploy", cwd: folder }),
    });
    assert.deepEqual([ended.code, ended.output, ended.errors], [0, "", ""], home);
  }
});

test("one that is still to be made, or can only be read, is none of these", () => {
  assert.equal(createHome(at("new", "data")).state(), "absent");
  mkdirSync(at("read"), { mode: 0o500 });
  assert.equal(createHome(at("read")).state(), "read-only");
});

test("no program is found in a folder of PATH that is closed to us, and that is no fault", () => {
  assert.equal(createHostFiles({ searched: closed, extensions: "" }).isOnPath("claude"), false);
});
