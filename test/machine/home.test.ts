/** A data folder that cannot be one: everybody who needs it says why, in the same words. */
import assert from "node:assert/strict";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createHostFiles } from "../../src/agents/agent-files.ts";
import { openDoctor } from "../../src/app/compose-doctor.ts";
import { openEncryption } from "../../src/app/compose-encryption.ts";
import { homeFolder } from "../../src/app/environment.ts";
import { Failure, open } from "../../src/index.ts";
import { createHome } from "../../src/machine/home.ts";
import { runChild } from "../child.ts";

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

const person = at("person");
mkdirSync(person);
symlinkSync(person, at("to-person"));
symlinkSync("/", at("to-root"));

const shared: [home: string, why: RegExp][] = [
  ["/", / and \/ is the root of a file system\.$/],
  ["//..", / and \/ is the root of a file system\.$/],
  [at("to-root"), /to-root is the root of a file system\.$/],
  [person, /person is your home folder\.$/],
  [`${person}/`, /person is your home folder\.$/],
  [at("to-person"), /to-person is your home folder\.$/],
];
test("refused: a data folder that is a root or the person's home folder", async (t) => {
  const { HOME } = process.env;
  process.env["HOME"] = person;
  t.after(() => (HOME === undefined ? delete process.env["HOME"] : (process.env["HOME"] = HOME)));
  const hint = `Set STELE_HOME to ${join(person, ".stele")}, for example, or unset it to use the default one.`;
  for (const [home, message] of shared) {
    const refusal = { code: "invalid_input", message, hint };
    assert.throws(() => homeFolder(undefined, { STELE_HOME: home }), refusal, home);
    await assert.rejects(open({ home, project: folder }), refusal, home);
    await assert.rejects(openDoctor({ home, project: folder }), refusal, home);
    assert.throws(() => openEncryption({ home }), refusal, home);
  }
  assert.equal(homeFolder(join(person, ".stele")), join(person, ".stele"));
  for (const file of ["global.db", "encryption.json"]) {
    writeFileSync(join(person, file), "");
    assert.equal(homeFolder(person), person, "a memory that is there stays usable");
    rmSync(join(person, file));
  }
  assert.deepEqual(readdirSync(person), []);
});

test("a hook says nothing of such folders, leaves nothing in them, and ends well", async () => {
  const hook = new URL("../../src/launch.ts", import.meta.url).href;
  const code = `import { launchHook } from ${JSON.stringify(hook)}; process.exit(await launchHook(process.argv.slice(1)));`;
  for (const home of [at("file"), at("file", "a"), closed, at("round"), "/", person]) {
    const ended = await runChild(null, ["--input-type=module", "--eval", code, "--", "hook"], {
      env: { ...process.env, HOME: person, STELE_HOME: home },
      input: JSON.stringify({ session_id: "s", hook_event_name: "UserPromptSubmit", prompt: "Deploy", cwd: folder }),
    });
    assert.deepEqual([ended.code, ended.output, ended.errors], [0, "", ""], home);
  }
  assert.deepEqual(readdirSync(person), []);
});

test("one that is still to be made, or can only be read, is none of these", () => {
  assert.equal(createHome(at("new", "data")).state(), "absent");
  mkdirSync(at("read"), { mode: 0o500 });
  assert.equal(createHome(at("read")).state(), "read-only");
});

test("the disk tells its room, also before the folder is made", () => {
  for (const home of [folder, at("new", "data")]) assert.ok((createHome(home).room()?.bytes ?? 0) > 0, home);
});

test("no program is found in a folder of PATH that is closed to us, and that is no fault", () => {
  assert.equal(createHostFiles({ searched: closed, extensions: "" }).isOnPath("claude"), false);
});

test("a data folder that others may read is found, by its own name and by that of a link to it", () => {
  const [home, link] = [at("open"), at("to-open")];
  mkdirSync(home);
  chmodSync(home, 0o755);
  symlinkSync(home, link);
  for (const named of [home, link]) {
    const found = createHome(named).exposed();
    assert.deepEqual(found, [realpathSync(home)]);
  }
  createHome(link).close(createHome(link).exposed());
  assert.deepEqual(createHome(home).exposed(), []);
});
