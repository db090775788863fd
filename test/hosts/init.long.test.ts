/** `stele init` on real files: connected, refused, attacked, and removed without a trace. */
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { after, test } from "node:test";
import { createConnectRecords, createHostFiles } from "../../src/agents/agent-files.ts";
import { wantedFiles } from "../../src/agents/agent-table.ts";
import { type HostId, HOSTS, PRINTED_HOSTS } from "../../src/agents/connection.ts";
import { examineHosts, lookAtHosts } from "../../src/agents/look-at-agents.ts";
import { type ConnectWorld, planHost } from "../../src/agents/plan-agent.ts";
import { openDoctor } from "../../src/app/compose-doctor.ts";
import { connectorIn, connectWorld } from "../../src/app/compose-init.ts";
import { dataFolder, homeFolder, hostPlaces } from "../../src/app/environment.ts";
import { runInit } from "../../src/cli/init.ts";
import { CONFIGURATIONS, DEFAULT_DATA, placesIn } from "../agents/fixtures.ts";
import { streams } from "./fixtures/streams.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-init-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
const SERVED = "http://127.0.0.1:7835/";

interface Machine {
  home: string;
  data: string;
  world: ConnectWorld;
  init(...argv: string[]): Promise<{ code: number; out: string; err: string }>;
}

function newMachine(): Machine {
  const home = join(folder, `user ${(count += 1)}`);
  const data = join(home, "data");
  const program = { node: process.execPath, entry: join(home, "stele", "bin", "stele.js"), data: DEFAULT_DATA };
  for (const name of ["project", join("stele", "bin")]) mkdirSync(join(home, name), { recursive: true });
  writeFileSync(program.entry, "");
  const files = createHostFiles({ searched: "", extensions: "" });
  const tokenFile = join(data, "run", "http-token");
  const world = { files, records: createConnectRecords(() => data), program, places: placesIn(home), tokenFile };
  const init: Machine["init"] = async (...argv) => {
    const { io, out, err } = streams();
    const open = ({ project, http }: { project: string | undefined; http: boolean }) => {
      const reached = http ? { ...world, program: { ...program, url: SERVED } } : world;
      return connectorIn(reached, project === undefined ? "user" : "project");
    };
    const code = await runInit(argv, { io, attended: false, open });
    return { code, out: out(), err: err() };
  };
  return { home, data, world, init };
}

/** Every file and folder with its content and mode. */
const pictureOf = (path: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(path, { recursive: true, encoding: "utf8" })
      .filter((name) => !name.startsWith("data"))
      .sort()
      .map((name) => {
        const found = lstatSync(join(path, name));
        return [name, `${found.mode} ${found.isFile() ? readFileSync(join(path, name), "utf8") : ""}`];
      }),
  );

const pathsOf = (host: HostId, { world }: Machine, scope: "user" | "project" = "user") =>
  wantedFiles(host, scope, world.program, world.places);

for (const host of HOSTS)
  test(`${host} is connected on an empty and on a rich machine, twice, and removed: byte for byte as before`, async () => {
    for (const scope of ["user", "project"] as const)
      for (const what of ["no file", "rich, with comments"]) {
        const machine = newMachine();
        for (const { path, format } of pathsOf(host, machine, scope)) {
          const text = CONFIGURATIONS[format][what];
          if (text == null) continue;
          mkdirSync(dirname(path), { recursive: true });
          writeFileSync(path, text, { mode: 0o640 });
        }
        const before = pictureOf(machine.home);
        const where = scope === "project" ? ["--project", "."] : [];
        assert.equal((await machine.init(host, "--yes", ...where)).code, 0);
        const connected = pictureOf(machine.home);
        assert.notDeepEqual(connected, before);
        const again = await machine.init(host, "--yes", "--json", ...where);
        assert.equal((JSON.parse(again.out) as { status: string }).status, "unchanged");
        assert.deepEqual(pictureOf(machine.home), connected);
        assert.equal((await machine.init("--remove", host, "--yes", ...where)).code, 0);
        assert.deepEqual(pictureOf(machine.home), before);
        assert.deepEqual(readdirSync(join(machine.data, "hosts")), []);
      }
  });

for (const host of HOSTS)
  test(`${host} is told of a data folder of its own, in its server and in every hook; removed as before`, async () => {
    const machine = newMachine();
    for (const { path, format } of pathsOf(host, machine)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, CONFIGURATIONS[format]["rich, with comments"]!);
    }
    const before = pictureOf(machine.home);
    await machine.init(host, "--yes");
    assert.match(examineHosts(machine.world).findings[0]!.message, /is connected, with \d hooks/);
    machine.world.program.data = { path: machine.data, variable: "STELE_HOME" };
    const {
      findings: [found],
    } = examineHosts(machine.world);
    assert.match(found!.message, /keeps its memories in the default folder, this shell in /);
    assert.equal(found!.next, `\`stele init ${host}\` points it to the folder of this shell.`);
    assert.match((await machine.init(host, "--yes")).out, /in the default folder; it is pointed to yours/);
    assert.match(examineHosts(machine.world).findings[0]!.message, /is connected, with \d hooks/);
    const texts = pathsOf(host, machine).map(({ path }) => readFileSync(path, "utf8"));
    const named = texts.join("\n").split(machine.data).length - 1;
    const entries = pathsOf(host, machine).flatMap((file) => file.entries.filter(({ kind }) => kind !== "constant"));
    assert.equal(named, entries.length);
    machine.world.program.data = DEFAULT_DATA;
    const {
      findings: [elsewhere],
    } = examineHosts(machine.world);
    assert.ok(elsewhere!.message.includes(`keeps its memories in ${machine.data}, this shell in`));
    assert.match(elsewhere!.next!, /^Set STELE_HOME here too, or run `stele init --remove/);
    await machine.init("--remove", host, "--yes");
    assert.deepEqual(pictureOf(machine.home), before);
  });

for (const host of HOSTS)
  test(`${host} reaches a server over HTTP, starts one again, and is removed: byte for byte as before`, async () => {
    const machine = newMachine();
    for (const { path, format } of pathsOf(host, machine)) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, CONFIGURATIONS[format]["rich, with comments"]!);
    }
    const before = pictureOf(machine.home);
    const first = await machine.init(host, "--http", "--yes");
    assert.equal(first.code, 0, first.err);
    assert.match(first.out, /`stele serve`/, "that it must run is said");
    const reached = pictureOf(machine.home);
    assert.match(JSON.stringify(reached), /http:\/\/127\.0\.0\.1:7835\/mcp/);
    assert.doesNotMatch(JSON.stringify(reached), /"mcp\\?"\]/, "nothing is started");
    assert.match((await machine.init(host, "--http", "--yes")).out, /already connected/);
    const [found] = lookAtHosts(machine.world).filter((state) => state.host === host);
    assert.deepEqual([found?.servers.length, found?.servers[0]?.url], [1, `${SERVED}mcp`]);
    assert.deepEqual(pictureOf(machine.home), reached);
    assert.equal((await machine.init(host, "--yes")).code, 0, "back to a server of its own");
    assert.doesNotMatch(JSON.stringify(pictureOf(machine.home)), /7835/);
    assert.equal((await machine.init(host, "--http", "--yes")).code, 0);
    assert.deepEqual(pictureOf(machine.home), reached);
    assert.equal((await machine.init("--remove", host, "--yes")).code, 0);
    assert.deepEqual(pictureOf(machine.home), before);
  });

test("fields that a person added to an entry stay when it is led over HTTP", async () => {
  const machine = newMachine();
  await machine.init("claude-code", "--yes");
  const path = machine.world.places.claudeState;
  const read = () => JSON.parse(readFileSync(path, "utf8")).mcpServers.stele;
  const entry = { ...read(), alwaysLoad: true };
  writeFileSync(path, JSON.stringify({ mcpServers: { stele: entry } }));
  await machine.init("claude-code", "--http", "--yes");
  const { alwaysLoad, command, url } = read();
  assert.deepEqual([alwaysLoad, command, url], [true, undefined, `${SERVED}mcp`]);
});

test("over HTTP a project is named in its own files, and the token stands in none", async () => {
  const machine = newMachine();
  for (const host of HOSTS) {
    const { code, err } = await machine.init(host, "--http", "--project", machine.world.places.project, "--yes");
    assert.equal(code, 0, err);
    const texts = pathsOf(host, machine, "project").map(({ path }) => readFileSync(path, "utf8"));
    assert.match(texts.join(), /Stele-Project.*(?:user%20\d+\/project|\$\{workspaceFolder\})/s, host);
    assert.match(texts.join(), /STELE_HTTP_TOKEN|serve --headers/, host);
    assert.doesNotMatch(texts.join(), /Bearer (?!\$\{)/, host);
  }
});

test("hosts that have no safe place for the token are not connected over HTTP", async () => {
  const { init, world } = newMachine();
  for (const host of PRINTED_HOSTS) {
    const { code, err } = await init("--print", host, "--http");
    assert.deepEqual([code, /no safe place for the token/.test(err)], [4, true], host);
  }
  assert.match((await init("--print", "cursor", "--http")).out, /"Authorization": "Bearer \$\{env:STELE_HTTP_TOKEN\}"/);
  const program = { ...world.program, url: SERVED };
  const windows = { ...world, program, places: placesIn("C:\\Users\\Ann", "win32") };
  assert.throws(() => planHost("codex", "user", windows), { code: "refused" });
  assert.throws(() => planHost("codex", "user", { ...world, program: { ...program, url: "https://10.0.0.5:7835/" } }), {
    code: "refused",
  });
});

test("an entry that sends our token elsewhere is not ours", async () => {
  const machine = newMachine();
  const headers = { Authorization: "Bearer ${env:STELE_HTTP_TOKEN}" };
  const path = join(machine.world.places.project, ".cursor", "mcp.json");
  mkdirSync(dirname(path));
  writeFileSync(path, JSON.stringify({ mcpServers: { stele: { url: "https://evil.example/mcp", headers } } }));
  const { code, err } = await machine.init("cursor", "--project", machine.world.places.project, "--yes");
  assert.deepEqual([code, /that is not this program/.test(err)], [4, true]);
});

test("a data folder that XDG_DATA_HOME names is not carried, and that is said", async () => {
  const machine = newMachine();
  machine.world.program.data = { path: "/xdg/stele", variable: "XDG_DATA_HOME" };
  const { out } = await machine.init("codex", "--yes");
  assert.match(out, /follows XDG_DATA_HOME: start the host with it/);
  assert.doesNotMatch(readFileSync(pathsOf("codex", machine)[0]!.path, "utf8"), /xdg/);
});

test("without somebody to agree, or in a dry run, nothing is written", async () => {
  const machine = newMachine();
  const before = pictureOf(machine.home);
  const refused = await machine.init("codex");
  assert.equal(refused.code, 4);
  assert.match(refused.err, /--yes/);
  const dry = await machine.init("codex", "--dry-run");
  assert.equal(dry.code, 0);
  assert.match(dry.out, /^\+\[mcp_servers\.stele\]$/m);
  assert.deepEqual(pictureOf(machine.home), before);
});

test("a person is asked, and may decline", async () => {
  for (const [answer, isConnected] of [
    ["n\n", false],
    ["y\n", true],
  ] as const) {
    const machine = newMachine();
    const { io, out, err } = streams({ stdin: answer, tty: true });
    const code = await runInit(["codex"], { io, attended: true, open: () => connectorIn(machine.world, "user") });
    assert.match(err(), /Connect Codex\? \[y\/N\]/);
    // The question stays in sight of what it is about; without one, everything is shown.
    assert.match(out(), /^… \d+ more lines\n`stele init codex --dry-run` shows every line\.$/m);
    assert.ok(out().split("\n").length < 30);
    assert.doesNotMatch((await newMachine().init("codex", "--dry-run")).out, /^…/m);
    assert.equal(code, isConnected ? 0 : 4);
    assert.equal(existsSync(pathsOf("codex", machine)[0]!.path), isConnected);
  }
});

test("what was changed in between stays when we leave", async () => {
  const machine = newMachine();
  await machine.init("claude-code", "--yes");
  const [state, settings] = pathsOf("claude-code", machine);
  const value = JSON.parse(readFileSync(state!.path, "utf8")) as { mcpServers: object };
  writeFileSync(
    state!.path,
    JSON.stringify({ projects: {}, mcpServers: { other: { command: "x" }, ...value.mcpServers } }, null, 4),
  );
  writeFileSync(settings!.path, `// mine\n${readFileSync(settings!.path, "utf8")}`);
  assert.equal((await machine.init("--remove", "claude-code", "--yes")).code, 0);
  assert.equal(
    readFileSync(state!.path, "utf8"),
    JSON.stringify({ projects: {}, mcpServers: { other: { command: "x" } } }, null, 4),
  );
  assert.equal(readFileSync(settings!.path, "utf8"), "// mine\n{}\n");
});

test("after an update of the paths, removing still restores what was there", async () => {
  const machine = newMachine();
  const [file] = pathsOf("cursor", machine);
  mkdirSync(dirname(file!.path));
  writeFileSync(file!.path, '{"mcpServers": {"a": {}}}');
  const before = pictureOf(machine.home);
  await machine.init("cursor", "--yes");
  machine.world.program = { ...machine.world.program, entry: "/elsewhere/bin/stele.js" };
  const moved = await machine.init("cursor", "--yes", "--json");
  assert.equal((JSON.parse(moved.out) as { status: string }).status, "updated");
  assert.match(readFileSync(file!.path, "utf8"), /elsewhere/);
  await machine.init("--remove", "cursor", "--yes");
  assert.deepEqual(pictureOf(machine.home), before);
});

test("a linked file is changed where it is, with its mode; the copy of what was there is private", async () => {
  const machine = newMachine();
  const [, settings] = pathsOf("claude-code", machine);
  const real = join(machine.home, "dotfiles.json");
  writeFileSync(real, '{"env": {"TOKEN": "hush"}}', { mode: 0o644 });
  chmodSync(real, 0o644);
  mkdirSync(dirname(settings!.path));
  symlinkSync(real, settings!.path);
  assert.equal((await machine.init("claude", "--yes")).code, 0);
  assert.ok(lstatSync(settings!.path).isSymbolicLink());
  assert.equal(statSync(real).mode & 0o777, 0o644);
  assert.match(readFileSync(real, "utf8"), /"SessionStart"/);
  for (const name of readdirSync(join(machine.data, "hosts")))
    assert.equal(statSync(join(machine.data, "hosts", name)).mode & 0o777, 0o600);
});

test("values of other entries are not shown, in whatever form a key comes", async () => {
  const known = `sk-ant-api03-${"Ab3dE6gH9j".repeat(9)}-AAAAAA`;
  const keys = [known, "hush-hush-1234", "Bearer abcdefghijklmno", "hunter2", String.raw`a\"b`];
  const list = keys.map((key) => `"${key}"`).join(", ");
  for (const [host, text] of [
    ["cursor", `{\n  "mcpServers": {\n    "a": { "env": { "TOKEN": "${keys[1]}" }, "args": [${list}] }\n  }\n}\n`],
    ["cursor", `{"mcpServers":{"a":{"args":["--api-key",${list}],"headers":{"Authorization":"${keys[2]}"}}}}`],
    ["codex", `[mcp_servers.a]\nargs = ["-k", '${keys[3]}', ${list}]\nenv = { TOKEN = "${keys[1]}" }\n`],
  ] as const) {
    const machine = newMachine();
    const { path } = pathsOf(host, machine)[0]!;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    const { out } = await machine.init(host, "--dry-run");
    assert.match(out, /mcp_?servers/i);
    assert.ok(out.includes(machine.world.program.entry));
    for (const key of keys) assert.ok(!out.includes(key), `${key} in ${out}`);
  }
});

const ATTACKS: [string, (path: string, machine: Machine) => void, RegExp][] = [
  ["a folder", (path) => mkdirSync(path, { recursive: true }), /is not a file/],
  ["unreadable", (path) => writeFileSync(path, "{}", { mode: 0 }), /cannot be read \(EACCES\)/],
  ["read-only", (path) => writeFileSync(path, "{}", { mode: 0o400 }), /cannot be written \(EACCES\)/],
  ["not JSON", (path) => writeFileSync(path, "hello\n"), /line 1 is not JSON/],
  ["not text", (path) => writeFileSync(path, Buffer.from([0xff, 0xfe, 0x7b])), /is not UTF-8 text/],
  ["50 MB", (path) => (writeFileSync(path, ""), truncateSync(path, 50_000_000)), /is larger than 16 MB/],
  ["one endless string", (path) => writeFileSync(path, `{"a": "${"x".repeat(15_000_000)}"}`), /line 1 is too long/],
  ["a link to a file of the system", (path) => symlinkSync("/etc/passwd", path), /line 1 is not JSON/],
  ["a link to nothing", (path) => symlinkSync("/nowhere/at/all", path), /leads nowhere/],
  ["a link to itself", (path) => symlinkSync(path, path), /leads nowhere/],
  ["in a folder that cannot be written", (path) => chmodSync(dirname(path), 0o500), /cannot be written \(EACCES\)/],
  ["a list of servers", (path) => writeFileSync(path, '{"mcpServers": [1]}'), /`mcpServers` in .* is not an object/],
  [
    "a foreign server of our name",
    (path) => writeFileSync(path, '{"mcpServers": {"stele": {"command": "x"}}}'),
    /already has a server named `stele`/,
  ],
];
for (const [what, prepare, message] of ATTACKS)
  test(`a configuration that is ${what} is refused`, async () => {
    const machine = newMachine();
    const [file] = pathsOf("cursor", machine);
    mkdirSync(dirname(file!.path));
    prepare(file!.path, machine);
    const { code, err } = await machine.init("cursor", "--yes");
    chmodSync(dirname(file!.path), 0o700);
    assert.ok(code === 4 || code === 5, err);
    assert.match(err, message);
    assert.match(err, /Nothing was changed/);
    assert.ok(!existsSync(join(dirname(file!.path), "hooks.json")));
  });

test("a link in a project may not lead out of it, be it of a file or of a folder", async () => {
  for (const [host, link] of [
    ["claude-code", ".mcp.json"],
    ["cursor", ".cursor"],
    ["vscode", ".github"],
  ] as const) {
    const machine = newMachine();
    const outside = join(machine.home, "outside");
    if (link.endsWith(".json")) writeFileSync(outside, "{}");
    else mkdirSync(outside);
    symlinkSync(outside, join(machine.home, "project", link));
    const before = pictureOf(machine.home);
    const { code, err } = await machine.init(host, "--yes", "--project", ".");
    assert.equal(code, 4, link);
    assert.match(err, /leads out of the project/);
    assert.deepEqual(pictureOf(machine.home), before);
  }
});

test("a project cannot pass another program off as ours", async () => {
  const cases: [server: object, isRefused: boolean][] = [
    [{ command: "sh", args: ["-c", "echo evil", "stele", "mcp"] }, true],
    [{ command: "evil", args: ["/opt/bin/stele.js", "mcp"] }, false],
    [{ command: "env", args: ["evil", "node", "stele", "mcp"] }, true],
    [{ command: "env", args: ["/usr/bin/node", "stele", "mcp"] }, true],
    [{ command: "./stele", args: ["mcp"] }, false],
    [{ command: "./node", args: ["stele", "mcp"] }, true],
    [{ command: "node", args: ["./bin/stele.js", "mcp"] }, false],
  ];
  for (const [server, isRefused] of cases) {
    const machine = newMachine();
    const path = join(machine.home, "project", ".mcp.json");
    writeFileSync(path, JSON.stringify({ mcpServers: { stele: server } }));
    const { code, err, out } = await machine.init("claude-code", "--yes", "--json", "--project", ".");
    if (isRefused) assert.match(err + out, /already has a server named `stele` that is not this program/);
    else {
      assert.equal(code, 0);
      const { mcpServers } = JSON.parse(readFileSync(path, "utf8")) as { mcpServers: { stele: object } };
      const { node, entry } = machine.world.program;
      assert.deepEqual(mcpServers.stele, { command: node, args: [entry, "mcp"] });
    }
  }
});

const LINKED_FOLDERS: [what: string, target: string][] = [
  ["another folder", "outside"],
  ["the folder above", "."],
  ["nothing", "gone"],
];
for (const [what, target] of LINKED_FOLDERS)
  test(`a folder in a project that is a link to ${what} is refused, though the file is missing`, async () => {
    const machine = newMachine();
    mkdirSync(join(machine.home, "outside"));
    symlinkSync(join(machine.home, target), join(machine.home, "project", ".claude"));
    const before = pictureOf(machine.home);
    const { code, err } = await machine.init("claude-code", "--yes", "--project", ".");
    assert.equal(code, 4);
    assert.match(err, what === "nothing" ? /leads nowhere/ : /leads out of the project/);
    assert.deepEqual(pictureOf(machine.home), before);
  });

test("a folder in a project may be a link to another one in it", async () => {
  const machine = newMachine();
  mkdirSync(join(machine.home, "project", "settings"));
  symlinkSync("settings", join(machine.home, "project", ".claude"));
  assert.equal((await machine.init("claude-code", "--yes", "--project", ".")).code, 0);
  assert.deepEqual(readdirSync(join(machine.home, "project", "settings")), ["settings.local.json"]);
});

test("how to undo it is said as it is typed", async () => {
  const undoIn = async (...argv: string[]) =>
    /Undo with `(.*)`/.exec((await newMachine().init("codex", "--yes", ...argv)).out)?.[1];
  assert.equal(await undoIn(), "stele init --remove codex");
  assert.equal(await undoIn("--project", "."), "stele init --remove codex --project .");
  assert.equal(await undoIn("--project", "../my app"), 'stele init --remove codex --project "../my app"');
  assert.equal(await undoIn("--project", "$(x)"), "stele init --remove codex --project …");
});

test("a data folder that cannot be written keeps everything as it is", async () => {
  const machine = newMachine();
  mkdirSync(machine.data, { mode: 0o500 });
  const before = pictureOf(machine.home);
  assert.equal((await machine.init("codex", "--yes")).code, 5);
  assert.deepEqual(pictureOf(machine.home), before);
});

test("a file that changes between question and answer is not overwritten", async () => {
  const machine = newMachine();
  const connector = connectorIn(machine.world, "user");
  const { apply } = connector.plan("codex", "connect");
  const [config] = pathsOf("codex", machine);
  mkdirSync(dirname(config!.path));
  writeFileSync(config!.path, "mine = 1\n");
  assert.throws(apply, /was changed in the meantime/);
  assert.equal(readFileSync(config!.path, "utf8"), "mine = 1\n");
  assert.deepEqual(readdirSync(dirname(config!.path)), ["config.toml"]);
});

test("all hosts that are found are connected, and one that cannot be does not stop the others", async () => {
  const machine = newMachine();
  for (const name of [".claude", ".codex", ".gemini"]) mkdirSync(join(machine.home, name));
  writeFileSync(join(machine.home, ".codex", "config.toml"), "mcp_servers = {}\n");
  const { code, out } = await machine.init("--yes", "--json");
  assert.equal(code, 1);
  const { hosts } = JSON.parse(out) as { hosts: { host: string; status?: string; error?: { hint: string } }[] };
  assert.deepEqual(
    hosts.map(({ host, status }) => [host, status]),
    [
      ["claude-code", "connected"],
      ["codex", undefined],
      ["gemini", "connected"],
    ],
  );
  assert.match(hosts[1]!.error!.hint, /\[mcp_servers\.stele\]/);
});

test("hosts are named as people name them, and others are told what to do", async () => {
  const machine = newMachine();
  assert.match((await machine.init("--print", "zed")).out, /zed\/settings\.json\n\n\{\n {2}"context_servers"/);
  const byHand = await machine.init("zed");
  assert.deepEqual([byHand.code, /init --print zed/.test(byHand.err)], [2, true]);
  assert.match((await machine.init("codx")).err, /Did you mean `stele init codex`\?/);
  assert.match((await machine.init("--remove", "codx")).err, /Did you mean `stele init --remove codex`\?/);
  assert.match((await machine.init("zedd")).err, /Did you mean `stele init --print zed`\?/);
  for (const argv of [["--remove"], ["--print"], ["codex", "cursor"], ["--remove", "--print", "codex"], ["--bogus"]])
    assert.equal((await machine.init(...argv)).code, 2);
  assert.match((await machine.init("--yes")).out, /No host was found here/);
  for (const host of [...HOSTS, ...PRINTED_HOSTS])
    assert.match((await machine.init("--print", host)).out, /bin\/stele\.js/);
});

test("the doctor tells hosts that are connected, half connected, stale, elsewhere and unreadable", async () => {
  const machine = newMachine();
  for (const name of [".claude", ".codex", ".cursor", ".gemini"]) mkdirSync(join(machine.home, name));
  await machine.init("claude-code", "--yes");
  const real = machine.world.program;
  machine.world.program = { ...real, entry: join(machine.home, "gone", "bin", "stele.js") };
  await machine.init("codex", "--yes");
  machine.world.program = real;
  await machine.init("cursor", "--yes");
  rmSync(pathsOf("cursor", machine)[1]!.path);
  writeFileSync(join(machine.home, ".gemini", "settings.json"), "?");
  const said = () =>
    examineHosts(machine.world).findings.map(({ state, message, next }) => `${state}: ${message} ${next ?? ""}`);
  const [claude, codex, cursor, gemini, ...more] = said();
  assert.equal(claude, "ok: Claude Code is connected, with 8 hooks. ");
  assert.match(codex!, /^problem: Codex starts .*gone.*, which is gone\. `stele init codex` corrects it\.$/);
  assert.match(cursor!, /^note: Cursor is connected, with 0 of 7 hooks\./);
  assert.match(gemini!, /^note: Gemini CLI: .*line 1 is not JSON\. Correct it, then run `stele init gemini`\.$/);
  assert.deepEqual(more, []);
  await machine.init("codex", "--yes");
  assert.match(said()[1]!, /^ok: Codex is connected, with 7 hooks/);
});

/** The machine as somebody sees it whose variable HOME is this. */
function withHome<T>(home: string | undefined, work: () => T): T {
  const before = process.env["HOME"];
  const set = (value: string | undefined) => {
    if (value === undefined) delete process.env["HOME"];
    else process.env["HOME"] = value;
  };
  set(home);
  try {
    return work();
  } finally {
    set(before);
  }
}

test("a home that is empty or relative is refused, also by the doctor; one that is unset is looked up", async () => {
  const project = newMachine().home;
  for (const home of ["", "relative", "./here", "~"]) {
    assert.throws(() => withHome(home, () => connectWorld(undefined)), /folder of this user is not known/);
    assert.throws(() => withHome(home, () => connectWorld(project)), /folder of this user is not known/);
  }
  assert.equal(withHome("/home/ann", () => connectWorld(project)).places.home, "/home/ann");
  assert.ok(isAbsolute(withHome(undefined, () => connectWorld(project)).places.home));
  const doctor = await openDoctor({ home: join(project, "data"), project });
  const findings = await withHome("", () => doctor.examine());
  assert.deepEqual(
    findings.filter(({ check }) => check === "hosts").map(({ state, message }) => [state, message]),
    [["note", "The folder of this user is not known."]],
  );
});

test("a worktree is connected in its own folder, not in that of its repository", () => {
  const { home } = newMachine();
  const [main, tree] = [join(home, "project"), join(home, "tree")];
  const entry = join(main, ".git", "worktrees", "tree");
  for (const path of [entry, join(main, ".git", "objects"), join(main, ".git", "refs"), tree])
    mkdirSync(path, { recursive: true });
  writeFileSync(join(main, ".git", "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(entry, "commondir"), "../..\n");
  writeFileSync(join(entry, "gitdir"), `${join(tree, ".git")}\n`);
  writeFileSync(join(tree, ".git"), `gitdir: ${entry}\n`);
  assert.equal(connectWorld(main).places.project, realpathSync(main));
  assert.equal(connectWorld(tree).places.project, realpathSync(tree));
});

test("a data folder is carried only if it is not the default", () => {
  const cases: [env: Record<string, string>, platform: string, variable: string | null][] = [
    [{}, "linux", null],
    [{ STELE_HOME: homeFolder(undefined, {}, "linux") }, "linux", null],
    [{ STELE_HOME: `${homeFolder(undefined, {}, "linux")}/` }, "linux", null],
    [{ STELE_HOME: "/m" }, "linux", "STELE_HOME"],
    [{ STELE_HOME: "/m", XDG_DATA_HOME: "/x" }, "linux", "STELE_HOME"],
    [{ XDG_DATA_HOME: "/x" }, "linux", "XDG_DATA_HOME"],
    [{ XDG_DATA_HOME: "/x" }, "darwin", null],
    [{ XDG_DATA_HOME: "relative" }, "linux", null],
    [{ LOCALAPPDATA: "/L" }, "win32", null],
    [{ LOCALAPPDATA: "/L", STELE_HOME: "/m" }, "win32", "STELE_HOME"],
  ];
  for (const [env, platform, variable] of cases)
    assert.equal(dataFolder(env, platform).variable, variable, `${platform} ${JSON.stringify(env)}`);
});

test("every system has its own places", () => {
  const linux = hostPlaces(
    "/p",
    { XDG_CONFIG_HOME: "/c", CLAUDE_CONFIG_DIR: "/cc", CODEX_HOME: "/cx", COPILOT_HOME: "relative" },
    "linux",
  );
  assert.deepEqual([linux.config, linux.claudeState, linux.codex], ["/c", "/cc/.claude.json", "/cx"]);
  assert.ok(linux.copilot.endsWith(".copilot"));
  assert.match(hostPlaces("/p", {}, "darwin").config, /Library.Application Support$/);
  assert.equal(hostPlaces("/p", { APPDATA: "D:\\Roaming" }, "win32").config, "D:\\Roaming");
});
