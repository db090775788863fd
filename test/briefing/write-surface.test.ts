import assert from "node:assert/strict";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { SURFACE_FILE, writeSurface } from "../../src/briefing/write-surface.ts";
import { purge } from "../../src/memory/forget.ts";
import { handleOf } from "../../src/memory/handles.ts";
import { keep, type TestWorld, testWorld } from "../test-world.ts";

/** A world whose checkout is a repository in its folder. */
async function inRepository(): Promise<TestWorld & { checkout: string; exclude: string }> {
  const world = await testWorld();
  const checkout = join(world.folder, "checkout");
  const exclude = join(checkout, ".git", "info", "exclude");
  mkdirSync(join(checkout, ".git"), { recursive: true });
  return { ...world, checkout, exclude, place: { ...world.place, checkout, excludeFile: exclude } };
}

describe("the file of the surface", () => {
  test("is private, ignored by git in this clone, and replaced as a whole", async () => {
    const world = await inRepository();
    mkdirSync(join(world.checkout, ".git", "info"));
    writeFileSync(world.exclude, "# mine\n*.orig");
    const path = await writeSurface("first", world);
    assert.equal(path, join(world.checkout, SURFACE_FILE));
    await writeSurface("second", world);
    assert.equal(readFileSync(path, "utf8"), "second\n");
    assert.equal(lstatSync(path).mode & 0o777, 0o600);
    assert.equal(readFileSync(world.exclude, "utf8"), `# mine\n*.orig\n/${SURFACE_FILE}\n`);
    assert.deepEqual(readdirSync(join(world.checkout, ".claude")), ["stele-memory.local.md"]);
    assert.equal(existsSync(join(world.checkout, ".gitignore")), false);
  });

  test("is removed when something that it shows is erased, and only then", async () => {
    const world = await inRepository();
    const [shown, other] = [await keep(world, "The vault code is on the fridge"), await keep(world, "Tabs are wide")];
    const path = await writeSurface(`- ${handleOf(shown.id)} 15 Jan: The vault code is on the fridge`, world);
    assert.deepEqual((await purge(other.id, world))?.traces, []);
    assert.ok(existsSync(path));
    assert.deepEqual((await purge(shown.id, world))?.traces, []);
    assert.equal(existsSync(path), false);
  });

  test("needs no entry where git ignores it already, or outside git", async () => {
    const world = await inRepository();
    writeFileSync(join(world.checkout, ".gitignore"), "node_modules\n.claude/\n");
    await writeSurface("text", world);
    assert.equal(existsSync(world.exclude), false);
    const outside = { ...world, place: { ...world.place, excludeFile: null } };
    assert.ok(await writeSurface("text", outside));
  });

  for (const [what, from, to] of [
    ["folder", ".claude", "elsewhere"],
    ["file", SURFACE_FILE, "elsewhere/file.md"],
    ["list of ignored files", ".git/info/exclude", "elsewhere/list"],
    ["folder of that list", ".git/info", "elsewhere"],
  ] as const)
    test(`is not written through a link: the ${what}`, async () => {
      const world = await inRepository();
      mkdirSync(join(world.folder, "elsewhere"));
      writeFileSync(join(world.folder, to === "elsewhere" ? "elsewhere/kept" : to), "kept");
      mkdirSync(join(world.checkout, from, ".."), { recursive: true });
      symlinkSync(join(world.folder, to), join(world.checkout, from));
      await assert.rejects(writeSurface("text", world), { code: /conflict|invalid_input/ });
      const left = readdirSync(join(world.folder, "elsewhere"));
      assert.equal(left.length, 1);
      assert.equal(readFileSync(join(world.folder, "elsewhere", left[0]!), "utf8"), "kept");
      assert.equal(lstatSync(join(world.checkout, from)).isSymbolicLink(), true);
    });

  test("waits for no dead process: a lease that has expired is taken over", async () => {
    const world = await inRepository();
    const now = world.clock.now();
    const taking = {
      kind: "take_lease",
      name: "surface file",
      owner: "dead",
      at: now - 20_000,
      until: now - 1,
    } as const;
    await world.project.apply([taking], world.origin);
    assert.ok(await writeSurface("text", world));
    assert.equal(await world.project.leaseHolder("surface file", now, 12_000), null);
  });

  test("two processes write one after the other", async () => {
    const world = await inRepository();
    const paths = await Promise.all(["one", "two", "three"].map((text) => writeSurface(text, world)));
    assert.match(readFileSync(paths[0]!, "utf8"), /^(one|two|three)\n$/);
    assert.equal(readFileSync(world.exclude, "utf8"), `/${SURFACE_FILE}\n`);
  });
});
