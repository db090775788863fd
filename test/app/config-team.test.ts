/** The team's server is named in the person's own file, and its password nowhere in it. */
import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type Config, loadConfig } from "../../src/app/config.ts";
import type { Failure } from "../../src/errors.ts";
import { createSharedProjects } from "../../src/team/records.ts";
import { teamServer } from "../../src/team/server-store.ts";
import { schemaFor } from "../../src/team/team.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-team-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function written(content: unknown, name = `file ${(files += 1)}`): string {
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
  return join(folder, name);
}

function load(team: unknown, env = {}): Config {
  written({ team }, "config.json");
  return loadConfig({ home: folder, env });
}

const URL = "postgres://me@db.example/stele";
const AUTHORITY = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";

for (const url of [URL, "postgresql://me@10.0.0.1:5433/stele", "postgres://me@[::1]/stele"])
  test(`the server may be ${url}`, () => assert.equal(load({ url }).team.url, url));

const refused: [string, RegExp][] = [
  [
    "postgres://me:canary@db.example/stele",
    /must not contain a password; put it in STELE_TEAM_PASSWORD or in the file that team\.passwordFile names/,
  ],
  ["postgres://me@db.example/stele?sslmode=disable&password=canary", /must end with the database/],
  ["postgres://db.example/stele", /must name a user/],
  ["postgres://me@db.example", /must name a database/],
  ["postgres://me@/canary", /must/],
  ["postgres://me@db.example:99999/canary", /check its port/],
  ["https://db.example/canary", /must begin with postgres/],
  ["canary", /must begin with postgres/],
];
for (const [url, message] of refused)
  test(`the server may not be ${url}`, () =>
    assert.throws(
      () => load({ url }),
      (thrown: Error) => message.test(thrown.message) && !/canary/.test(thrown.message),
    ));

test("a setting of an earlier version is told once, changes nothing, and excuses no other", () => {
  const told: string[] = [];
  const onGone = (notice: string) => void told.push(notice);
  for (const vectorsInMemory of [5, "what an earlier version would have refused"]) {
    written({ team: { url: URL, vectorsInMemory } }, "config.json");
    const project = mkdtempSync(join(folder, "project"));
    writeFileSync(join(project, ".stele.json"), "no JSON");
    const sources = { home: folder, env: {}, projectRoot: project, onProjectFault: () => undefined, onGone };
    assert.deepEqual(loadConfig(sources).team, { url: URL });
    assert.match(told.join("\n"), /^team\.vectorsInMemory in your settings no longer counts: .+ \(remove it\)$/);
    told.length = 0;
  }
  assert.throws(() => load({ vectorsInMemory: 5, vectorsInMemry: 5 }), /Unknown setting "team\.vectorsInMemry"/);
  assert.throws(() => load({ url: 7, vectorsInMemory: 5 }), /team\.url/);
  written({}, "config.json");
  loadConfig({ home: folder, env: {}, onGone });
  assert.deepEqual(told, []);
});

test("neither a variable nor a project names the server", () => {
  assert.deepEqual(load({}, { STELE_TEAM_URL: URL, STELE_TEAM: URL }).team, {});
  const project = mkdtempSync(join(folder, "project"));
  writeFileSync(join(project, ".stele.json"), JSON.stringify({ team: { url: URL } }));
  assert.throws(
    () => loadConfig({ home: folder, projectRoot: project, env: {} }),
    /which a project is not allowed to do/,
  );
});

test("the connection is encrypted and the server proves its name, except on this machine or if one says otherwise", () => {
  const tls = (team: object) => teamServer(load(team)).tls;
  assert.deepEqual(tls({ url: URL }), { ca: null });
  assert.deepEqual(tls({ url: URL, caFile: written(AUTHORITY) }), { ca: AUTHORITY });
  for (const host of ["localhost", "127.0.0.1", "[::1]"])
    assert.equal(tls({ url: `postgres://me@${host}/stele` }), null);
  assert.deepEqual(tls({ url: "postgres://me@127.0.0.1/stele", tls: "verify" }), { ca: null });
  assert.equal(tls({ url: URL, tls: "off" }), null);
  assert.throws(() => tls({ url: URL, caFile: join(folder, "none") }), { code: "unavailable" });
});

test("without an address there is no server, and the hint says where to name it", () => {
  const isTold = ({ code, hint }: Failure) =>
    code === "unavailable" && hint.startsWith(`Name it in ${join(folder, "config.json")}, such as {"team"`);
  assert.throws(() => teamServer(load({}), folder), isTold);
});

test("a password comes from a file that nobody else can read", () => {
  const path = written("canary\n");
  assert.equal(teamServer(load({ url: URL, passwordFile: path })).password, "canary");
  chmodSync(path, 0o640);
  const refusal = (thrown: Error) => /others can read it/.test(thrown.message) && !/canary/.test(thrown.message);
  assert.throws(() => teamServer(load({ url: URL, passwordFile: path })), refusal);
  assert.throws(() => teamServer(load({ url: URL, passwordFile: "password" })), { code: "invalid_input" });
});

test("the variable goes before the file", () => {
  process.env["STELE_TEAM_PASSWORD"] = "from the variable";
  try {
    assert.equal(teamServer(load({ url: URL, passwordFile: join(folder, "none") })).password, "from the variable");
  } finally {
    delete process.env["STELE_TEAM_PASSWORD"];
  }
});

const names: [string, string | null][] = [
  ["app", "stele_app"],
  ["My App (2)", "stele_my_app_2"],
  ["Größe", "stele_gro_e"],
  ["x".repeat(99), `stele_${"x".repeat(48)}`],
  ["--", null],
  ['a"; drop schema public; --', "stele_a_drop_schema_public"],
];
for (const [name, schema] of names)
  test(`a project called ${JSON.stringify(name.slice(0, 40))} has the schema ${schema}`, () =>
    assert.equal(schemaFor(name), schema));

test("a project is shared by a private file in the data folder, and by nothing else", () => {
  const home = mkdtempSync(join(folder, "home"));
  const shared = createSharedProjects(home);
  assert.equal(shared.find("space"), null);
  shared.share("space", { schema: "stele_app", own: "0195-own" });
  assert.deepEqual(createSharedProjects(home).find("space"), { schema: "stele_app", own: "0195-own" });
  chmodSync(join(home, "team", "space.json"), 0o666);
  assert.throws(() => shared.find("space"), { code: "unavailable" }, "somebody else may have written it");
  shared.unshare("space");
  assert.equal(shared.find("space"), null);
  for (const said of [
    '{"schema":"public","own":"x"}',
    '{"schema":"stele_a\\"b","own":"x"}',
    '{"schema":"stele_a","own":"../x"}',
    "no",
  ]) {
    writeFileSync(join(home, "team", "space.json"), said, { mode: 0o600 });
    assert.throws(() => shared.find("space"), { code: "unavailable" });
  }
});
