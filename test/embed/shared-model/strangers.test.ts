/** Whoever is not what it claims to be, on either side of the socket, and clients that take more than their share. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import type { Offer } from "../../../src/embed/shared-model/meeting-place.ts";
import {
  createFrameReader,
  type Frame,
  type Kind,
  LONGEST_PAYLOAD_BYTES,
  PROTOCOL,
  prove,
  readChallenge,
  readHello,
  toFrame,
  writeChallenge,
  writeHello,
  writeRequest,
} from "../../../src/embed/shared-model/messages.ts";
import { HASTE_MS, PATIENCE_MS } from "../../../src/embed/shared-model/offered-embedder.ts";
import type { Embedder } from "../../../src/ports.ts";
import { until } from "../../until.ts";
import { counted, type House, openHouse } from "./parties.ts";

const KEY = Buffer.alloc(32, 7);
const LISTENING = "tracing:net.server.listen:asyncEnd";

/** A socket with a note that leads to it. */
async function impostor(house: House, greet: (socket: Socket) => void): Promise<AsyncDisposable> {
  mkdirSync(house.run, { mode: 0o700 });
  const socket = join(house.run, "model-00000000000000aa.sock");
  const sockets: Socket[] = [];
  const server = createServer((met) => {
    sockets.push(met.on("error", () => met.destroy()));
    greet(met);
  }).listen(socket);
  await once(server, "listening");
  const note = { socket, key: KEY.toString("hex") };
  writeFileSync(join(house.run, "model.json"), JSON.stringify(note), { mode: 0o600 });
  return {
    async [Symbol.asyncDispose]() {
      for (const met of sockets) met.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Answers a hello with what `said` makes of it. */
const answering = (said: (hello: ReturnType<typeof readHello>) => Buffer) => (socket: Socket) => {
  const reader = createFrameReader(() => 1_024);
  socket.on("data", (chunk: Buffer) => {
    for (const { kind, payload } of reader.push(chunk)) if (kind === "hello") socket.write(said(readHello(payload)));
  });
};

const { identity, dimensions } = counted();
type Said = { key: Buffer; protocol: number; identity: string; role: "owner" | "client" };
const challenge = (change: Partial<Said>) =>
  answering(({ nonce }) => {
    const said = { key: KEY, protocol: PROTOCOL, identity, role: "owner" as const, ...change };
    const ownerNonce = randomBytes(32);
    const greeting = { ...said, clientNonce: nonce, ownerNonce, dimensions };
    const proof = prove(said.role, said.key, greeting);
    return toFrame("challenge", writeChallenge({ ...said, nonce: ownerNonce, proof, dimensions }));
  });

const IMPOSTORS: [string, (socket: Socket) => void][] = [
  ["says garbage", (socket) => void socket.write(randomBytes(64).fill(255, 0, 5))],
  ["announces an endless frame", (socket) => void socket.write(toFrame("challenge", Buffer.alloc(2_000)))],
  ["hangs up", (socket) => socket.destroy()],
  ["sends vectors first", (socket) => void socket.write(toFrame("vectors", Buffer.alloc(6)))],
  ["does not know the key", challenge({ key: Buffer.alloc(32, 8) })],
  ["proves itself as a client", challenge({ role: "client" })],
  ["has another model", challenge({ identity: "another" })],
  ["speaks another protocol", challenge({ protocol: PROTOCOL + 1 })],
];
for (const [what, greet] of IMPOSTORS)
  test(`no text reaches one that ${what}`, async () => {
    await using house = openHouse();
    const heard: Buffer[] = [];
    await using _ = await impostor(house, (socket) => {
      socket.on("data", (chunk: Buffer) => heard.push(chunk));
      greet(socket);
    });
    const own = counted();
    assert.equal((await house.join("load", own).embed(["a private text"])).length, 1);
    assert.equal(own.requests.length, 1);
    assert.ok(!Buffer.concat(heard).includes(Buffer.from("private", "utf16le")));
    assert.ok(!Buffer.concat(heard).includes(KEY));
    const hook = house.join("borrow");
    await assert.rejects(hook.embed(["a private text"]), /No process offers/);
  });

test("one that accepts and says nothing is waited for as long as the caller's patience lasts", async () => {
  await using house = openHouse();
  let met = 0;
  await using _ = await impostor(house, () => (met += 1));
  for (const part of ["load", "borrow", "offer"] as const) {
    const [own, patience] = [counted(), Promise.withResolvers<void>()];
    const embedder = house.join(part, own, { patience: () => patience.promise });
    const before = met;
    const asked = embedder.embed(["text"]);
    await until(() => met > before);
    assert.deepEqual([embedder.state(), own.requests], ["loading", []]);
    patience.resolve();
    if (part === "borrow") await assert.rejects(asked, /No process offers/);
    else assert.equal((await asked).length, 1);
    await embedder.close();
  }
});

test("a question to a server does not wait for an owner that is silent; other work does", async () => {
  await using house = openHouse();
  const met = Promise.withResolvers<void>();
  await using _ = await impostor(house, () => met.resolve());
  const [own, haste, patience] = [counted(), Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const server = house.join("offer", own, { haste: () => haste.promise, patience: () => patience.promise });
  const asked = server.embed(["a question"]);
  const bulk = server.embed(Array.from({ length: 20 }, (_text, index) => `text ${index}`));
  await met.promise;
  haste.resolve();
  await assert.rejects(asked, /does not answer yet/);
  await assert.rejects(server.embed(["the next question"]), /does not answer yet/);
  assert.deepEqual([server.state(), own.requests.length], ["loading", 0], "no second model yet");
  patience.resolve();
  assert.equal((await bulk).length, 20);
  assert.equal((await server.embed(["a later question"])).length, 1);
});

test("a server that has gone on without a busy owner uses it as soon as it greets", async () => {
  await using house = openHouse();
  const met = Promise.withResolvers<Socket>();
  await using _ = await impostor(house, (socket) => met.resolve(socket));
  const [own, haste] = [counted(), Promise.withResolvers<void>()];
  const server = house.join("offer", own, { haste: () => haste.promise });
  const asked = server.embed(["a question"]);
  const socket = await met.promise;
  haste.resolve();
  await assert.rejects(asked, /does not answer yet/);
  challenge({})(socket);
  await until(() => server.state() === "ready");
  assert.deepEqual(own.requests, []);
});

test("whoever asks, a silent owner is bypassed within 50 milliseconds", () => {
  assert.deepEqual([HASTE_MS, PATIENCE_MS.load, PATIENCE_MS.borrow], [50, 50, 50]);
});

test("an owner that stopped answering leaves a server with a model of its own, not offered", async () => {
  await using house = openHouse();
  const owner = house.join("offer");
  await owner.load();
  const offer = house.place().read()!;
  // The lock is held and the socket is gone: as if the owner stood still.
  const own = counted();
  const nobody = { ...house.place(), read: () => null };
  const server = house.join("offer", own, { place: nobody, patience: async () => undefined });
  assert.equal((await server.embed(["text"])).length, 1);
  assert.deepEqual([own.requests.length, house.place().read()], [1, offer]);
});

/** What makes a place one that is not trusted, by changing it. */
const EXPOSED: [string, (house: House) => void][] = [
  ["others can open the folder", ({ run }) => chmodSync(run, 0o755)],
  ["others can read the note", ({ run }) => chmodSync(join(run, "model.json"), 0o644)],
  [
    "the note is a link",
    ({ home, run }) => {
      renameSync(join(run, "model.json"), join(home, "elsewhere"));
      symlinkSync(join(home, "elsewhere"), join(run, "model.json"));
    },
  ],
  [
    "the folder is a link",
    ({ home, run }) => {
      renameSync(run, join(home, "elsewhere"));
      symlinkSync(join(home, "elsewhere"), run);
    },
  ],
  ["others can replace the folder", ({ home }) => chmodSync(home, 0o777)],
  ["the note is not one of ours", ({ run }) => writeFileSync(join(run, "model.json"), "{}")],
  ["the note is no JSON", ({ run }) => writeFileSync(join(run, "model.json"), "model")],
  ["the note is huge", ({ run }) => writeFileSync(join(run, "model.json"), " ".repeat(5_000))],
  [
    "the note leads to a file",
    ({ run }) => {
      const note = JSON.stringify({ socket: join(run, "model.lock"), key: KEY.toString("hex") });
      writeFileSync(join(run, "model.json"), note);
    },
  ],
];
for (const [what, expose] of EXPOSED)
  test(`nothing is asked where ${what}`, async () => {
    await using house = openHouse();
    const model = counted();
    await house.join("offer", model).load();
    assert.notEqual(house.place().read(), null);
    expose(house);
    assert.equal(house.place().read(), null);
    const own = counted();
    await house.join("load", own).embed(["text"]);
    assert.deepEqual([own.requests.length, model.requests.length], [1, 0]);
  });

test("nothing is asked and nothing offered in the folder of another user", async () => {
  await using house = openHouse();
  await house.join("offer").load();
  const user = { uid: process.getuid!() + 1, gid: process.getgid!() };
  const foreign = house.place({ user });
  assert.deepEqual([foreign.read(), foreign.lockFile()], [null, null]);
  const own = counted();
  await house.join("offer", own, { place: foreign }).embed(["text"]);
  assert.equal(own.requests.length, 1);
});

test("the key is in a file that only its owner can read", async () => {
  await using house = openHouse();
  await house.join("offer").load();
  const { key } = house.place().read()!;
  assert.equal(key.length, 32);
  const modes = ["model.json", "model.lock"].map((name) => statSync(join(house.run, name)).mode & 0o777);
  assert.deepEqual([statSync(house.run).mode & 0o777, ...modes], [0o700, 0o600, 0o600]);
  assert.match(readFileSync(join(house.run, "model.json"), "utf8"), new RegExp(key.toString("hex")));
});

/** A client by hand. */
function visit({ socket: path, key }: Offer) {
  const socket = connect(path).on("error", () => undefined);
  const reader = createFrameReader(() => LONGEST_PAYLOAD_BYTES);
  const frames: Frame[] = [];
  const nonce = randomBytes(32);
  socket.on("data", (chunk: Buffer) => frames.push(...reader.push(chunk)));
  const send = (kind: Kind, payload: Buffer) => socket.write(toFrame(kind, payload));
  return {
    socket,
    frames,
    send,
    closed: once(socket, "close"),
    async greet(role: "owner" | "client" = "client", known = key) {
      send("hello", writeHello({ protocol: PROTOCOL, nonce }));
      await until(() => frames.length > 0);
      const { nonce: ownerNonce, proof, ...said } = readChallenge(frames.shift()!.payload);
      assert.equal(proof.length, 32);
      send("proof", prove(role, known, { ...said, ownerNonce, clientNonce: nonce }));
    },
  };
}

async function withOwner(model: Embedder, work: (offer: Offer, house: House) => Promise<void>): Promise<void> {
  await using house = openHouse();
  await house.join("offer", model).load();
  await work(house.place().read()!, house);
}

const text = (id: number, count = 1) => writeRequest({ id, texts: Array<string>(count).fill(`text ${id}`) });

const STRANGERS: [string, (visitor: ReturnType<typeof visit>) => Promise<void>][] = [
  ["asks before proving itself", async ({ send }) => void send("request", text(1))],
  ["speaks another protocol", async ({ send }) => void send("hello", writeHello({ protocol: 9, nonce: KEY }))],
  ["sends too much before proving itself", async ({ send }) => void send("hello", Buffer.alloc(2_000))],
  ["sends garbage", async ({ socket }) => void socket.write(randomBytes(64).fill(0, 4, 5))],
  [
    "does not know the key",
    async ({ greet, send }) => {
      await greet("client", KEY);
      send("request", text(1));
    },
  ],
  [
    "repeats the owner's proof",
    async ({ greet, send }) => {
      await greet("owner");
      send("request", text(1));
    },
  ],
  [
    "sends a malformed request",
    async ({ greet, send }) => {
      await greet();
      send("request", text(1).subarray(0, -1));
    },
  ],
];
for (const [what, act] of STRANGERS)
  test(`an owner ends the connection of one that ${what}`, async () => {
    const model = counted();
    await withOwner(model, async (offer, house) => {
      const visitor = visit(offer);
      await act(visitor);
      await visitor.closed;
      assert.deepEqual(model.requests, []);
      assert.equal((await house.join("load").embed(["others go on"])).length, 1);
    });
  });

test("a client that floods has one small and one large request at the model; others go on beside it", async () => {
  const gate = Promise.withResolvers<void>();
  const running = { flood: 0, most: 0 };
  const model = counted({
    async embed(texts) {
      if (texts[0] === "question") return counted().embed(texts);
      running.flood += 1;
      running.most = Math.max(running.most, running.flood);
      await gate.promise;
      running.flood -= 1;
      return counted().embed(texts);
    },
  });
  await withOwner(model, async (offer, house) => {
    const flood = visit(offer);
    await flood.greet();
    for (let id = 1; id <= 200; id += 1) flood.send("request", text(id, id % 2 === 0 ? 20 : 1));
    await until(() => running.flood === 2);
    assert.equal((await house.join("load").embed(["question"])).length, 1);
    assert.deepEqual(running, { flood: 2, most: 2 });
    gate.resolve();
    await until(() => flood.frames.length === 200);
    assert.equal(running.most, 2);
    flood.socket.destroy();
  });
});

test("a question overtakes the bulk of its own process and of others", async () => {
  const gate = Promise.withResolvers<void>();
  const model = counted({
    async embed(texts) {
      if (texts.length > 1) await gate.promise;
      return counted().embed(texts);
    },
  });
  await withOwner(model, async (_, house) => {
    const [busy, other] = [house.join("load"), house.join("load")];
    const bulk = [busy, other].map((embedder) => embedder.embed(Array<string>(100).fill("bulk")));
    await until(() => model.requests.length === 2);
    for (const embedder of [busy, other]) assert.equal((await embedder.embed(["question"])).length, 1);
    gate.resolve();
    for (const vectors of await Promise.all(bulk)) assert.equal(vectors.length, 100);
  });
});

test("a client that goes away costs nothing", async () => {
  const gate = Promise.withResolvers<void>();
  const model = counted({
    async embed(texts) {
      await gate.promise;
      return counted().embed(texts);
    },
  });
  await withOwner(model, async (offer, house) => {
    const gone = visit(offer);
    await gone.greet();
    for (const id of [1, 2, 3]) gone.send("request", text(id));
    await until(() => model.requests.length === 1);
    gone.socket.destroy();
    await gone.closed;
    gate.resolve();
    assert.equal((await house.join("load").embed(["text"])).length, 1);
    assert.ok(model.requests.length <= 3);
  });
});

test("an owner that could not accept a connection goes on", async () => {
  const started = Promise.withResolvers<Server>();
  const note = (message: unknown) => started.resolve((message as { server: Server }).server);
  subscribe(LISTENING, note);
  try {
    await withOwner(counted(), async (_, house) => {
      // As Node reports that the process has no file descriptor left.
      (await started.promise).emit("error", Object.assign(new Error("accept EMFILE"), { code: "EMFILE" }));
      const own = counted();
      assert.equal((await house.join("load", own).embed(["text"])).length, 1);
      assert.deepEqual(own.requests, []);
    });
  } finally {
    unsubscribe(LISTENING, note);
  }
});
