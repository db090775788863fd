/** `stele serve` and `stele open` as programs: started, found, killed, stopped, and refused to agents. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runChild, startChild } from "../child.ts";
import { environment, STELE } from "../mcp.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-serve-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function newHome(name: string) {
  const home = join(folder, name);
  mkdirSync(home, { mode: 0o700 });
  const options = { cwd: folder, env: environment(home) };
  const run = (...args: string[]) => runChild(null, [STELE, ...args], options);
  const start = async (...args: string[]) => {
    const child = startChild(null, [STELE, "serve", "--port", "0", ...args], { ...options, input: null });
    await child.spoke();
    return child;
  };
  return { home, run, start };
}

test("a second start finds the first, and stopping leaves nothing but the token", async () => {
  const { home, run, start } = newHome("second");
  assert.equal((await run("serve", "--status")).code, 1);
  await using child = await start();
  const key = (JSON.parse(readFileSync(join(home, "run", "http.json"), "utf8")) as { key: string }).key;
  for (const argv of [["--status"], ["--port", "0"]]) {
    const found = await run("serve", "--json", ...argv);
    assert.equal(found.code, 0, found.errors);
    assert.equal((JSON.parse(found.output) as { pid: number }).pid, child.process.pid);
    assert.ok(!found.output.includes(key), "the key is shown to nobody");
  }
  const token = readFileSync(join(home, "run", "http-token"), "utf8");
  assert.deepEqual(JSON.parse((await run("serve", "--headers")).output), { Authorization: `Bearer ${token}` });
  assert.equal((await run("serve", "--stop")).code, 0);
  assert.equal((await child.ended).code, 0);
  assert.ok(!existsSync(join(home, "run", "http.json")));
  assert.equal((await run("serve", "--headers")).code, 5, "somebody else may listen there now");
  assert.equal((await run("serve", "--stop")).code, 0, "there is nothing to stop");
});

test("ten starts at once: one serves, the others find it", async () => {
  const { home, start } = newHome("ten");
  const children = await Promise.all(Array.from({ length: 10 }, () => start()));
  const { pid } = JSON.parse(readFileSync(join(home, "run", "http.json"), "utf8")) as { pid: number };
  for (const child of children.filter(({ process: { pid: own } }) => own !== pid)) {
    const { code, output } = await child.ended;
    assert.deepEqual([code, output.includes(`process ${pid}`)], [0, true], output);
  }
  const [serving] = children.filter(({ process: { pid: own } }) => own === pid);
  serving!.kill("SIGTERM");
  assert.equal((await serving!.ended).code, 0);
});

test("what a killed server leaves is known to be stale, and the next one starts", async () => {
  const { home, run, start } = newHome("killed");
  const first = await start();
  first.kill("SIGKILL");
  await first.ended;
  assert.ok(existsSync(join(home, "run", "http.json")));
  assert.equal((await run("serve", "--status")).code, 1);
  await using second = await start();
  assert.equal((await run("serve", "--status")).code, 0);
  assert.equal((await run("serve", "--stop")).code, 0);
  assert.equal((await second.ended).code, 0);
  assert.deepEqual(readdirSync(join(home, "run")).sort(), ["http-token", "http.lock"]);
});

test("nobody but a person at a terminal opens the page", async () => {
  const { home, run } = newHome("open");
  const { code, output, errors } = await run("open", "--print");
  assert.deepEqual([code, output], [4, ""]);
  assert.match(errors, /Only a person at a terminal/);
  assert.ok(!existsSync(join(home, "run")), "nothing was started");
});

test("a token is taken from a secret, and a folder beyond the served ones is refused", async () => {
  const { home, run, start } = newHome("secret");
  const secret = join(folder, "token");
  writeFileSync(secret, "s".repeat(32), { mode: 0o600 });
  const served = join(folder, "served");
  mkdirSync(served);
  await using child = await start("--token-file", secret, "--project", served);
  const { url } = JSON.parse(readFileSync(join(home, "run", "http.json"), "utf8")) as { url: string };
  const list = (project: string) =>
    fetch(new URL("v1/list", url), {
      method: "POST",
      body: JSON.stringify({ project }),
      headers: { authorization: `Bearer ${"s".repeat(32)}`, "content-type": "application/json" },
    });
  assert.deepEqual([(await list(served)).status, (await list(folder)).status], [200, 403]);
  assert.ok(!existsSync(join(home, "run", "http-token")), "no other one is made");
  assert.equal((await run("serve", "--stop")).code, 0);
  assert.equal((await child.ended).code, 0);
});
