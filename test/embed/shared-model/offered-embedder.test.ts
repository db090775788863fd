/** One model for many processes: who loads it, who uses it, and who takes over. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { linkSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { isOffered } from "../../../src/embed/shared-model/owner.ts";
import { Failure } from "../../../src/errors.ts";
import { lockFile } from "../../../src/store/sqlite/file-lock.ts";
import { until } from "../../until.ts";
import { counted, openHouse } from "./parties.ts";

const LEFT = ["model.lock"];
const isUnavailable = (thrown: unknown) => thrown instanceof Failure && thrown.code === "unavailable";

test("six at once need one model, and all get its vectors", async () => {
  await using house = openHouse();
  const models = Array.from({ length: 6 }, () => counted());
  const processes = models.map((own) => house.join("offer", own));
  const answers = await Promise.all(processes.map((embedder, index) => embedder.embed([`text ${index}`])));
  const used = models.filter(({ requests }) => requests.length > 0);
  assert.equal(used.length, 1);
  assert.equal(used[0]!.requests.length, 6);
  const expected = await counted().embed(answers.map((_, index) => `text ${index}`));
  assert.deepEqual(answers.flat(), expected);
  assert.deepEqual(new Set(processes.map((embedder) => embedder.state())), new Set(["ready"]));
});

test("when the owner ends, another long-lived one takes over, and nothing is left after the last", async () => {
  await using house = openHouse();
  const models = [counted(), counted(), counted()];
  const [first, second, hook] = [
    house.join("offer", models[0]),
    house.join("offer", models[1]),
    house.join("borrow", models[2]),
  ];
  await first.embed(["one"]);
  await second.embed(["two"]);
  assert.deepEqual([models[0]!.requests.length, models[1]!.requests.length], [2, 0]);
  await first.close();
  await until(() => second.state() === "cold");
  assert.equal((await second.embed(["three"])).length, 1);
  assert.equal((await hook.embed(["four"])).length, 1);
  assert.deepEqual(models[1]!.requests, [["three"], ["four"]]);
  assert.deepEqual(models[2]!.requests, []);
  await second.close();
  assert.deepEqual(readdirSync(house.run), LEFT);
});

test("a request that its owner did not answer is made once more", async () => {
  await using house = openHouse();
  const [hanging, own] = [counted({ embed: () => new Promise(() => undefined) }), counted()];
  const [owner, client] = [house.join("offer", hanging), house.join("offer", own)];
  await owner.load();
  const asked = client.embed(["text"]);
  await until(() => hanging.requests.length === 1);
  await owner.close();
  assert.deepEqual(await asked, await counted().embed(["text"]));
  assert.deepEqual(own.requests, [["text"]]);
});

test("an owner that greets but never answers is left alone: a command loads a model, a borrower has none", async () => {
  await using house = openHouse();
  const hanging = counted({ embed: () => new Promise(() => undefined) });
  await house.join("offer", hanging).load();
  const own = counted();
  const [command, hook] = (["load", "borrow"] as const).map((part) =>
    house.join(part, own, { unansweredMs: { small: 1, large: 1 } }),
  );
  await assert.rejects(hook!.embed(["text"]), /No process offers/);
  assert.deepEqual(await command!.embed(["text"]), await counted().embed(["text"]));
  assert.deepEqual(own.requests, [["text"]]);
});

test("a borrower whose owner is gone has no model, and says so", async () => {
  await using house = openHouse();
  const [hanging, own] = [counted({ embed: () => new Promise(() => undefined) }), counted()];
  const [owner, hook] = [house.join("offer", hanging), house.join("borrow", own)];
  await owner.load();
  const asked = hook.embed(["text"]);
  await until(() => hanging.requests.length === 1);
  const refused = assert.rejects(asked, isUnavailable);
  await owner.close();
  await refused;
  assert.deepEqual([hook.state(), own.requests], ["absent", []]);
});

test("without an offer a hook has none, and a command loads its own but offers nothing", async () => {
  await using house = openHouse();
  const hook = house.join("borrow");
  assert.equal(hook.state(), "cold");
  await assert.rejects(hook.embed(["text"]), isUnavailable);
  assert.equal(hook.state(), "absent");
  const own = counted();
  await house.join("load", own).embed(["text"]);
  assert.equal(own.requests.length, 1);
  assert.deepEqual(readdirSync(house.home), []);
});

test("what a killed owner left is replaced", async () => {
  await using house = openHouse();
  mkdirSync(house.run, { mode: 0o700 });
  const [living, dead] = ["model-0000000000000001.sock", "model-0000000000000002.sock"].map((name) =>
    join(house.run, name),
  );
  const server = createServer().listen(living);
  await once(server, "listening");
  linkSync(living!, dead!);
  server.close();
  await once(server, "close");
  const note = { socket: dead, key: "0".repeat(64) };
  writeFileSync(join(house.run, "model.json"), JSON.stringify(note), { mode: 0o600 });
  const own = counted();
  const client = house.join("load", own);
  await client.embed(["a command meanwhile"]);
  assert.notEqual(house.place().read(), null);
  assert.equal(isOffered(house.place(), lockFile), false);
  const owner = house.join("offer");
  await owner.embed(["text"]);
  assert.equal(isOffered(house.place(), lockFile), true);
  assert.equal(readdirSync(house.run).filter((name) => name.endsWith(".sock")).length, 1);
  assert.ok(!readdirSync(house.run).includes("model-0000000000000002.sock"));
  await owner.close();
  assert.deepEqual(readdirSync(house.run), LEFT);
});

test("an owner that was never asked for its lock keeps its offer, and one that closes removes only its own", async () => {
  await using house = openHouse();
  const owner = house.join("offer");
  await owner.load();
  const place = house.place();
  const offer = place.read()!;
  place.withdraw({ ...offer, socket: join(house.run, "model-ffffffffffffffff.sock") });
  assert.deepEqual(place.read(), offer);
});

test("a model that cannot be loaded is not offered, and its reason reaches who asked", async () => {
  await using house = openHouse();
  let state: "cold" | "absent" = "cold";
  const fails = async () => {
    state = "absent";
    throw new Failure("unavailable", "The runtime is missing.", "Install it.");
  };
  const owner = house.join("offer", counted({ state: () => state, embed: fails }));
  await assert.rejects(owner.embed(["text"]), /runtime is missing/);
  assert.deepEqual([owner.state(), readdirSync(house.run)], ["absent", LEFT]);
  const other = counted();
  await house.join("offer", other).embed(["text"]);
  assert.equal(other.requests.length, 1);
});

test("a refusal keeps its words and ends nothing", async () => {
  await using house = openHouse();
  let isFull = true;
  const refuse = async (texts: readonly string[]) => {
    if (isFull) throw new Failure("unavailable", "No memory.", "Ask again.");
    return counted().embed(texts);
  };
  const owner = house.join("offer", counted({ embed: refuse }));
  await owner.load();
  const client = house.join("load");
  await assert.rejects(client.embed(["text"]), /No memory/);
  isFull = false;
  assert.equal((await client.embed(["text"])).length, 1);
});

test("bulk is sent in portions, in order, and long texts are cut where the model stops reading", async () => {
  await using house = openHouse();
  const model = counted();
  await house.join("offer", model).load();
  const texts = Array.from({ length: 150 }, (_, index) => `text ${index}`);
  const client = house.join("load");
  assert.deepEqual(await client.embed(texts), await counted().embed(texts));
  assert.ok(model.requests.every(({ length }) => length <= 64));
  await client.embed(["x".repeat(5_000)]);
  assert.equal(model.requests.at(-1)![0]!.length, 1_000);
});

test("a long data folder has its socket elsewhere, and without a place for it the model serves one process", async () => {
  await using house = openHouse();
  const long = join(house.home, "a long name ".repeat(9).trim());
  mkdirSync(long, { mode: 0o700 });
  const place = house.place({ home: long });
  const owner = house.join("offer", counted(), { place });
  await owner.load();
  assert.ok(place.read()!.socket.startsWith(join(house.home, "runtime")));
  const own = counted();
  await house.join("load", own, { place }).embed(["text"]);
  assert.deepEqual(own.requests, []);
  await owner.close();
  assert.deepEqual([readdirSync(join(long, "run")), readdirSync(join(house.home, "runtime"))], [LEFT, []]);
  const nowhere = house.place({ home: long, runtimeFolder: join(long, "runtime") });
  assert.equal((await house.join("offer", counted(), { place: nowhere }).embed(["text"])).length, 1);
  assert.equal(nowhere.read(), null);
});
