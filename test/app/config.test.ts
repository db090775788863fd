/** Configuration, read from invented environments and temporary folders only. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { HOSTS, PRINTED_HOSTS } from "../../src/agents/connection.ts";
import { type Config, loadConfig, PROJECT_GROUPS, settings } from "../../src/app/config.ts";
import { configure } from "../../src/app/configure.ts";
import {
  AGENTS,
  homeFolder,
  modelsFolder,
  PROJECT_FILE,
  readSurroundings,
  userFile,
} from "../../src/app/environment.ts";
import { Failure } from "../../src/errors.ts";
import { makePipe } from "../child.ts";

const folders: string[] = [];
after(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

function folderWith(files: Record<string, unknown>): string {
  const folder = mkdtempSync(join(tmpdir(), "stele-config-"));
  folders.push(folder);
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return folder;
}
const empty = folderWith({});
const homeWith = (content: unknown) => folderWith({ "config.json": content });
const projectWith = (content: unknown) => folderWith({ [PROJECT_FILE]: content });

/** What no variable may set. */
const FILE_ONLY = [
  ...["model", "baseUrl", "dimensions", "keyVariable"].map((name) => `embedder.${name}`),
  ...["provider", "model", "baseUrl", "keyVariable", "timeoutMs", "sessionTokens", "dayTokens"].map(
    (name) => `llm.${name}`,
  ),
  ...["llm.inputPrice", "llm.outputPrice"],
  ...["url", "name", "tls", "caFile", "passwordFile"].map((name) => `team.${name}`),
  ...["decisions.ratify", "index.excludes", "labels.rules"],
];

const DEFAULTS: Config = {
  embedder: { provider: "minilm" },
  llm: { provider: "none", timeoutMs: 30_000, sessionTokens: 100_000, dayTokens: 500_000 },
  team: {},
  recall: {
    recipe: "own",
    vectorWeight: 0.7,
    keywordWeight: 0.3,
    rrfDamping: 60,
    limit: 10,
    history: "on",
    rrfEntityWeight: 0,
    rrfTemporalWeight: 0,
    validityWindowDays: 90,
    drainPassages: 256,
    modelWaitMs: 5_000,
  },
  index: {
    files: 10_000,
    fileBytes: 1_048_576,
    excludes: [],
    freshMs: 0,
    waitMs: 1_000,
    watch: "events",
    debounceMs: 500,
    code: "on",
    chunkLines: 150,
    chunkOverlap: 10,
  },
  labels: { rules: [] },
  notes: { fileBytes: 100_000 },
  dailyLog: { enabled: "off" },
  remember: { compareMs: 10 },
  context: {
    injection: "on",
    nudges: "on",
    promptTokens: 300,
    startMs: 2_000,
    promptMs: 300,
    working: 10,
    relevant: 10,
    patterns: 5,
    suggestions: 5,
    budgetTokens: 1_500,
  },
  time: {},
  working: { ttlSeconds: 3_600, capacity: 1_000 },
  routing: { preset: "default" },
  decisions: { ratify: "asked" },
  evidence: { archiveDays: 180 },
  decay: {
    patternDays: 60,
    gotchaDays: 45,
    progressDays: 7,
    otherDays: 30,
    archiveBelow: 0.3,
    archiveAfterDays: 14,
    globalDays: 14,
    globalBelow: 0.2,
    pruneAfterDays: 30,
    eraseAfterDays: 90,
  },
  retention: { accessDays: 365, journalDays: 365 },
  capture: { enabled: "on", evidenceMegabytes: 256, eventDays: 30 },
  surface: { targetTokens: 400, hardTokens: 550, recentShare: 0.6, lineCharacters: 240, maxLines: 20 },
  data: { durability: "normal" },
  backup: { keep: 5, daily: "on", keepDays: 30, megabytes: 1_024 },
  log: { level: "warn" },
};

test("without files, variables and flags everything has its default", () => {
  assert.deepEqual(loadConfig({ home: empty, env: {} }), DEFAULTS);
});

test("where nothing is set the defaults come without the schema, and where anything is, through it", async () => {
  const home = join(empty, "nowhere");
  assert.deepEqual(await configure({ home, env: { STELE_HOME: "/x", STELE_SESSION: "s", PATH: "p" } }), DEFAULTS);
  assert.deepEqual(await configure({ home, env: {}, projectRoot: empty }), DEFAULTS);
  assert.equal((await configure({ home, env: { STELE_EMBEDDER: "none" } })).embedder.provider, "none");
  assert.equal((await configure({ home, env: {}, flags: { recall: { limit: 3 } } })).recall.limit, 3);
  await assert.rejects(configure({ home, env: { STELE_EMBEDDER: "nonsense" } }), { code: "invalid_input" });
  const projectRoot = projectWith({ index: { files: 7 } });
  assert.equal((await configure({ home, env: {}, projectRoot })).index.files, 7);
  await assert.rejects(configure({ home, env: {}, projectRoot: projectWith({ nonsense: {} }) }), {
    code: "invalid_input",
  });
});

test("flags beat variables, variables beat the user's file", () => {
  const home = homeWith({
    working: { ttlSeconds: 1, capacity: 1 },
    recall: { recipe: "rrf" },
    log: { level: "debug" },
  });
  const env = { STELE_WORKING_TTL_SECONDS: "2", STELE_WORKING_CAPACITY: "2" };
  const flags = { working: { capacity: 3 } };
  assert.deepEqual(loadConfig({ home, env, flags, projectRoot: empty }), {
    ...DEFAULTS,
    recall: { ...DEFAULTS.recall, recipe: "rrf" },
    working: { ttlSeconds: 2, capacity: 3 },
    log: { level: "debug" },
  });
});

test("every setting has a variable of its own that reaches it", () => {
  const values: Record<string, [string, unknown]> = {
    "embedder.provider": ["none", "none"],
    "recall.recipe": ["weighted", "weighted"],
    "recall.vectorWeight": ["0.5", 0.5],
    "recall.keywordWeight": ["1", 1],
    "recall.rrfDamping": ["0", 0],
    "recall.limit": ["3", 3],
    "recall.history": ["off", "off"],
    "recall.rrfEntityWeight": ["0.5", 0.5],
    "recall.rrfTemporalWeight": ["2", 2],
    "recall.validityWindowDays": ["0", 0],
    "recall.drainPassages": ["7", 7],
    "recall.modelWaitMs": ["100", 100],
    "time.zone": ["Europe/Berlin", "Europe/Berlin"],
    "working.ttlSeconds": ["60", 60],
    "working.capacity": ["5", 5],
    "context.working": ["0", 0],
    "context.relevant": ["20", 20],
    "context.patterns": ["1", 1],
    "context.suggestions": ["2", 2],
    "context.budgetTokens": ["800", 800],
    "routing.preset": ["seed", "seed"],
    "remember.compareMs": ["0", 0],
    "context.injection": ["start", "start"],
    "context.nudges": ["off", "off"],
    "context.promptTokens": ["200", 200],
    "context.startMs": ["500", 500],
    "context.promptMs": ["100", 100],
    "surface.targetTokens": ["300", 300],
    "surface.hardTokens": ["350", 350],
    "surface.recentShare": ["0.4", 0.4],
    "surface.lineCharacters": ["120", 120],
    "surface.maxLines": ["9", 9],
    "evidence.archiveDays": ["30", 30],
    "decay.patternDays": ["90", 90],
    "decay.gotchaDays": ["50", 50],
    "decay.progressDays": ["3", 3],
    "decay.otherDays": ["20", 20],
    "decay.archiveBelow": ["0.1", 0.1],
    "decay.archiveAfterDays": ["10", 10],
    "decay.globalDays": ["28", 28],
    "decay.globalBelow": ["0.05", 0.05],
    "decay.pruneAfterDays": ["60", 60],
    "decay.eraseAfterDays": ["365", 365],
    "retention.accessDays": ["90", 90],
    "retention.journalDays": ["730", 730],
    "capture.enabled": ["off", "off"],
    "capture.evidenceMegabytes": ["64", 64],
    "capture.eventDays": ["7", 7],
    "index.files": ["7", 7],
    "index.fileBytes": ["2000", 2_000],
    "index.freshMs": ["0", 0],
    "index.waitMs": ["10", 10],
    "index.watch": ["polling", "polling"],
    "index.debounceMs": ["0", 0],
    "index.code": ["off", "off"],
    "index.chunkLines": ["40", 40],
    "index.chunkOverlap": ["0", 0],
    "notes.folder": ["~/notes", "~/notes"],
    "notes.fileBytes": ["2000", 2_000],
    "dailyLog.enabled": ["on", "on"],
    "dailyLog.folder": ["~/log", "~/log"],
    "data.durability": ["full", "full"],
    "backup.keep": ["2", 2],
    "backup.daily": ["off", "off"],
    "backup.keepDays": ["3", 3],
    "backup.megabytes": ["7", 7],
    "log.level": ["silent", "silent"],
  };
  for (const { path, env } of settings().filter(({ path }) => !FILE_ONLY.includes(path))) {
    assert.match(env, /^STELE_[A-Z_]+$/, path);
    const [text, expected] = values[path] ?? assert.fail(`no example for ${path}`);
    const [group, name] = path.split(".") as [keyof Config, string];
    const config = loadConfig({ home: empty, env: { [env]: text } });
    assert.equal((config[group] as Record<string, unknown>)[name], expected, path);
  }
  const variables = settings().flatMap(({ env }) => env || []);
  assert.deepEqual(
    settings().flatMap(({ path, env }) => (env ? [] : path)),
    FILE_ONLY,
  );
  assert.equal(new Set(variables).size, variables.length);
});

test("an empty variable is no setting", () => {
  assert.deepEqual(loadConfig({ home: empty, env: { STELE_EMBEDDER: "", STELE_RECALL_MODEL_WAIT_MS: " " } }), DEFAULTS);
});

/** Loads, expecting a failure of input; answers with what the caller is told. */
function refusal(sources: Parameters<typeof loadConfig>[0]): { message: string; hint: string } {
  try {
    loadConfig({ env: {}, home: empty, ...sources });
  } catch (thrown) {
    assert.ok(thrown instanceof Failure, String(thrown));
    assert.equal(thrown.code, "invalid_input");
    return { message: thrown.message, hint: thrown.hint };
  }
  return assert.fail("loaded");
}

const unknown: [unknown, string, string, string][] = [
  [{ embeder: {} }, '"embeder"', 'Did you mean "embedder"?', "a group misspelt"],
  [{ recall: { recipy: "rrf" } }, '"recall.recipy"', 'Did you mean "recall.recipe"?', "a name misspelt"],
  [{ recall: { capacity: 5 } }, '"recall.capacity"', 'Did you mean "working.capacity"?', "a name in the wrong group"],
  [{ provider: "none" }, '"provider"', 'Did you mean "embedder.provider"?', "a name without its group"],
  [
    { zzzzzz: {} },
    '"zzzzzz"',
    "Known settings: embedder, llm, team, recall, time, working, context, routing, remember, decisions, evidence, decay, retention, capture, surface, index, notes, dailyLog, labels, data, backup, log.",
    "nothing like it",
  ],
  [{ log: { zzzzzz: 1 } }, '"log.zzzzzz"', "Known settings: log.level.", "nothing like it in the group"],
];
for (const [content, named, hint, why] of unknown)
  test(`an unknown key names the nearest known one: ${why}`, () => {
    const home = homeWith(content);
    const told = refusal({ home });
    assert.equal(told.message, `Unknown setting ${named} in ${join(home, "config.json")}.`);
    assert.equal(told.hint, hint);
  });

const bad: [unknown, RegExp, string][] = [
  [{ embedder: { provider: "gpt" } }, /embedder\.provider/, "a word that is no choice"],
  [{ recall: { vectorWeight: 1.5 } }, /recall\.vectorWeight/, "a number too large"],
  [{ recall: { drainPassages: 1.5 } }, /recall\.drainPassages/, "a fraction"],
  [{ working: { ttlSeconds: 0 } }, /working\.ttlSeconds/, "a number too small"],
  [{ working: { ttlSeconds: "60" } }, /working\.ttlSeconds/, "a number as text"],
  [{ working: null }, /working/, "no group at all"],
  [{ working: [1] }, /working/, "a list for a group"],
  ["{ nope", /cannot be read as JSON/, "no JSON"],
  ["", /cannot be read as JSON/, "an empty file"],
  ["[]", /must contain one JSON object/, "a list"],
  ["null", /must contain one JSON object/, "null"],
  ['"text"', /must contain one JSON object/, "a text"],
];
for (const [content, message, why] of bad)
  test(`refused in a file, naming it: ${why}`, () => {
    const home = homeWith(content);
    const told = refusal({ home });
    assert.match(told.message, message);
    assert.ok(told.message.includes(join(home, "config.json")));
    assert.notEqual(told.hint, "");
  });

test("a folder in place of the file is told as such", () => {
  const home = folderWith({});
  mkdirSync(join(home, "config.json"));
  assert.match(refusal({ home }).message, /cannot be read as JSON: it is not a regular file/);
});

test("a pipe is not waited for, and a huge file is not read", () => {
  const folder = folderWith({});
  for (const name of ["config.json", PROJECT_FILE]) makePipe(join(folder, name));
  assert.match(refusal({ home: folder }).message, /config\.json cannot be read as JSON: it is not a regular file/);
  assert.match(
    refusal({ projectRoot: folder }).message,
    /\.stele\.json cannot be read as JSON: it is not a regular file/,
  );
  assert.match(refusal({ home: homeWith(`{}${" ".repeat(1_000_000)}`) }).message, /larger than 1 MB/);
});

const badVariables: [string, string][] = [
  ["STELE_WORKING_CAPACITY", "many"],
  ["STELE_WORKING_CAPACITY", "-1"],
  ["STELE_RECALL_VECTOR_WEIGHT", "2"],
  ["STELE_EMBEDDER", "gpt"],
];
for (const [name, value] of badVariables)
  test(`refused: ${name}=${value}`, () => {
    const { path } = settings().find(({ env }) => env === name)!;
    assert.ok(refusal({ env: { [name]: value } }).message.startsWith(`${name} (${path}): `));
  });

test("a bad flag is refused", () => {
  assert.match(refusal({ flags: { log: { level: "loud" } } }).message, /log\.level in the settings/);
  assert.match(refusal({ flags: { log: { lvel: "warn" } } }).hint, /log\.level/);
});

test("a project's file may set indexing, labels and the surface only", () => {
  assert.deepEqual(PROJECT_GROUPS, ["index", "labels", "surface"]);
});

test("a project's file sets the surface where its user has not, within the bounds", () => {
  const home = homeWith({ surface: { targetTokens: 200 } });
  const load = (surface: unknown) => loadConfig({ home, env: {}, projectRoot: projectWith({ surface }) }).surface;
  assert.deepEqual(load({ targetTokens: 900, maxLines: 5 }), { ...DEFAULTS.surface, targetTokens: 200, maxLines: 5 });
  assert.throws(() => load({ hardTokens: 100_000 }), { code: "invalid_input" });
});

test("a project's file sets what is indexed and how it is labelled", () => {
  const content = { index: { excludes: ["*.gen.ts"] }, labels: { rules: [{ glob: "notes/**", label: "note" }] } };
  const { index, labels } = loadConfig({ home: empty, env: {}, projectRoot: projectWith(content) });
  assert.deepEqual([index.excludes, labels], [["*.gen.ts"], content.labels]);
  assert.match(
    refusal({ projectRoot: projectWith({ labels: { rules: [{ glob: 5 }] } }) }).message,
    /^labels\.rules\.0\.glob/,
  );
});

test("a project's file takes nothing back that its user has set", () => {
  const own = { glob: "docs/**", label: "mine" };
  const other = { glob: "docs/**", label: "other" };
  const home = homeWith({
    index: { excludes: ["*.private.md"], files: 100, watch: "off" },
    labels: { rules: [own] },
  });
  const load = (content: unknown) => loadConfig({ home, env: {}, projectRoot: projectWith(content) });
  const { index, labels } = load({
    index: { excludes: ["*.gen.ts"], files: 5_000, fileBytes: 2_000, waitMs: 60_000, watch: "events" },
    labels: { rules: [other] },
  });
  assert.deepEqual(index, {
    ...DEFAULTS.index,
    excludes: ["*.gen.ts", "*.private.md"],
    files: 100,
    fileBytes: 2_000,
    watch: "off",
  });
  assert.deepEqual(labels.rules, [own, other]);
  const emptied = load({ index: { excludes: [] }, labels: { rules: [] } });
  assert.deepEqual([emptied.index.excludes, emptied.labels.rules], [["*.private.md"], [own]]);
  assert.equal(load({ index: { files: 7 } }).index.files, 7);
  const lettingIn = () => load({ index: { excludes: ["*.gen.ts", " !.env"] } });
  assert.throws(lettingIn, {
    code: "invalid_input",
    message: /re-includes " !\.env", which a project is not allowed to do/,
  });
});

test("a project says how its files are cut and how long a burst lasts, unless the user has said so", () => {
  const projectRoot = projectWith({ index: { chunkLines: 300, chunkOverlap: 30, debounceMs: 2_000, code: "off" } });
  const cut = (home: string) => {
    const { chunkLines, chunkOverlap, debounceMs, code } = loadConfig({ home, env: {}, projectRoot }).index;
    return [chunkLines, chunkOverlap, debounceMs, code];
  };
  assert.deepEqual(cut(empty), [300, 30, 2_000, "off"]);
  const own = { chunkLines: 100, chunkOverlap: 5, debounceMs: 50, code: "on" };
  assert.deepEqual(cut(homeWith({ index: own })), Object.values(own));
});

test("where the user says nothing, a project decides how it is watched; variables beat both", () => {
  const projectRoot = projectWith({ index: { watch: "polling", files: 7 } });
  assert.equal(loadConfig({ home: empty, env: {}, projectRoot }).index.watch, "polling");
  const env = { STELE_INDEX_WATCH: "off", STELE_INDEX_FILES: "20000" };
  const { watch, files } = loadConfig({ home: empty, env, projectRoot }).index;
  assert.deepEqual([watch, files], ["off", 20_000]);
});

const rulesOf = (glob: string, count = 1) => ({ labels: { rules: Array.from({ length: count }, () => ({ glob })) } });
const slow: [unknown, RegExp, string][] = [
  [rulesOf(" "), /^labels\.rules\.0\.glob in .*: " " is empty\.$/, "an empty glob"],
  [
    rulesOf("{a,b}".repeat(9)),
    /^labels\.rules\.0\.glob in .*: "\{a,b\}.*" has more than 100 alt/,
    "too many alternatives",
  ],
  [rulesOf("{a,b}".repeat(6), 20), /^labels\.rules in .*: together .* more than 1000 alternatives/, "too many in all"],
  [{ index: { excludes: ["a", "**/".repeat(4)] } }, /^index\.excludes\.1 in .*: "(\*\*\/){4}" has/, "too many stars"],
  [
    { index: { excludes: Array(51).fill("**/a/**/b") } },
    /^index\.excludes in .*: more than 50 patterns have/,
    "many slow ones",
  ],
];
for (const [content, message, why] of slow)
  test(`patterns are checked when they are read: ${why}`, () => {
    assert.match(refusal({ home: homeWith(content) }).message, message);
    assert.match(refusal({ projectRoot: projectWith(content) }).message, message);
  });

for (const group of ["embedder", "llm", "recall", "time", "working", "routing", "log", "home", "__proto__"])
  test(`a project's file may not set ${group}`, () => {
    const home = folderWith({});
    const projectRoot = projectWith(`{ "${group}": {} }`);
    const told = refusal({ home, projectRoot });
    assert.equal(
      told.message,
      `${join(projectRoot, PROJECT_FILE)} sets "${group}", which a project is not allowed to do.`,
    );
    assert.ok(told.hint.includes(join(home, "config.json")), told.hint);
  });

test("a project's file is read as strictly as the user's", () => {
  assert.match(refusal({ projectRoot: projectWith("{") }).message, /cannot be read as JSON/);
  assert.deepEqual(loadConfig({ home: empty, env: {}, projectRoot: projectWith({}) }), DEFAULTS);
});

const BROKEN: readonly [what: string, content: unknown][] = [
  ["no JSON", "{"],
  ["a key that a project may not set", { embedder: { provider: "none" } }],
  ["an unknown key", { nonsense: {} }],
  ["a value out of bounds", { index: { files: 0 } }],
  ["what re-includes", { index: { excludes: ["!.env"] } }],
];
for (const [what, content] of BROKEN)
  test(`a project's file with ${what} is told and left out, and the user's settings hold`, () => {
    const told: string[] = [];
    const sources = {
      env: {},
      projectRoot: projectWith(content),
      onProjectFault: ({ code }: Failure) => told.push(code),
    };
    const config = loadConfig({ ...sources, home: homeWith({ recall: { limit: 7 } }) });
    assert.deepEqual(config, loadConfig({ env: {}, home: homeWith({ recall: { limit: 7 } }) }));
    assert.deepEqual(told, ["invalid_input"]);
    assert.throws(
      () => loadConfig({ ...sources, home: homeWith("{") }),
      /config\.json cannot be read/,
      "the user's own",
    );
  });

const home = homedir();
const homes: [string, Parameters<typeof homeFolder>, string][] = [
  ["a flag beats everything", ["/flag", { STELE_HOME: "/named", XDG_DATA_HOME: "/xdg" }, "linux"], "/flag"],
  ["STELE_HOME beats the platform", [undefined, { STELE_HOME: "/named", XDG_DATA_HOME: "/xdg" }, "linux"], "/named"],
  ["XDG on Linux", [undefined, { XDG_DATA_HOME: "/xdg" }, "linux"], "/xdg/stele"],
  ["a relative XDG path is ignored", [undefined, { XDG_DATA_HOME: "xdg" }, "linux"], join(home, ".local/share/stele")],
  ["Linux without XDG", [undefined, {}, "linux"], join(home, ".local/share/stele")],
  ["an empty STELE_HOME is none", [undefined, { STELE_HOME: "" }, "linux"], join(home, ".local/share/stele")],
  ["macOS", [undefined, { XDG_DATA_HOME: "/xdg" }, "darwin"], join(home, "Library/Application Support/stele")],
  ["Windows", [undefined, { LOCALAPPDATA: "/local" }, "win32"], "/local/stele"],
  ["Windows without a variable", [undefined, {}, "win32"], join(home, "AppData/Local/stele")],
];
for (const [name, parameters, expected] of homes)
  test(`the home: ${name}`, () => assert.equal(homeFolder(...parameters), expected));

const models: [Record<string, string>, string, string][] = [
  [{}, "/home/models", "in the data folder"],
  [{ STELE_MODELS: "/opt/models" }, "/opt/models", "the one that is named"],
  [{ STELE_MODELS: "models" }, "/home/models", "a relative path is ignored"],
];
for (const [env, expected, why] of models)
  test(`the built model of ${JSON.stringify(env)}: ${why}`, () => assert.equal(modelsFolder("/home", env), expected));

const files: [string, Parameters<typeof userFile>, string][] = [
  ["in a home of its own", ["/flag", { XDG_CONFIG_HOME: "/xdg" }, "linux"], "/flag/config.json"],
  ["also when a variable names it", [undefined, { STELE_HOME: "/named" }, "linux"], "/named/config.json"],
  ["XDG on Linux", [undefined, { XDG_CONFIG_HOME: "/xdg" }, "linux"], "/xdg/stele/config.json"],
  [
    "a relative XDG path is ignored",
    [undefined, { XDG_CONFIG_HOME: "x" }, "linux"],
    join(home, ".config/stele/config.json"),
  ],
  ["Linux without XDG", [undefined, { XDG_DATA_HOME: "/xdg" }, "linux"], join(home, ".config/stele/config.json")],
  ["macOS", [undefined, {}, "darwin"], join(home, "Library/Application Support/stele/config.json")],
  ["Windows", [undefined, { LOCALAPPDATA: "/local" }, "win32"], "/local/stele/config.json"],
];
for (const [name, parameters, expected] of files)
  test(`the user's file: ${name}`, () => assert.equal(userFile(...parameters), expected));

const sessions: [Record<string, string>, string | null, string][] = [
  [{}, null, "none"],
  [{ STELE_SESSION: "a", CLAUDE_CODE_SESSION_ID: "b", CODEX_THREAD_ID: "c" }, "a", "our own first"],
  [{ CLAUDE_CODE_SESSION_ID: "b" }, "b", "a host's"],
  [{ CODEX_THREAD_ID: "c" }, "c", "another host's"],
  [{ STELE_SESSION: "", CODEX_THREAD_ID: "c" }, "c", "an empty one is none"],
  [{ CURSOR_CONVERSATION_ID: "d" }, "d", "Cursor's"],
  [{ COPILOT_AGENT_SESSION_ID: "e" }, "e", "Copilot's"],
];
for (const [env, expected, why] of sessions)
  test(`the session of ${JSON.stringify(env)}: ${why}`, () => assert.equal(readSurroundings(env).session, expected));

test("every host that Stele knows is in the table of agents", () => {
  for (const host of [...HOSTS, ...PRINTED_HOSTS]) assert.ok(AGENTS[host], host);
});

/** Where a person works too: their own settings, and terminals inside an editor. */
for (const name of [
  "CODEX_HOME",
  "CLAUDE_CONFIG_DIR",
  "GEMINI_CLI_HOME",
  "CURSOR_TRACE_ID",
  "ZED_TERM",
  "STELE_SESSION",
])
  test(`a person may be at the terminal under ${name}`, () =>
    assert.equal(readSurroundings({ [name]: "x" }).attended, true));

const MARKERS = [
  ...["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CURSOR_AGENT", "CODEX_SANDBOX", "CODEX_THREAD_ID", "GEMINI_CLI"],
  ...["OPENCODE", "COPILOT_CLI", "COPILOT_AGENT_SESSION_ID", "CLINE_ACTIVE", "KIMI_SESSION_ID", "AI_AGENT", "CI"],
];
for (const name of new Set([...MARKERS, ...Object.values(AGENTS).flatMap(({ markers }) => markers)]))
  test(`nobody is at the terminal under ${name}`, () => {
    assert.equal(readSurroundings({ [name]: "1" }).attended, false);
    assert.equal(readSurroundings({ [name]: "" }).attended, true);
  });

test("a person is at the terminal otherwise, in this folder, in the project that a host names", () => {
  assert.deepEqual(readSurroundings({ TERM: "xterm" }), {
    cwd: process.cwd(),
    hostProject: null,
    session: null,
    attended: true,
    isDumb: false,
    isColourForced: false,
    editor: null,
  });
  assert.equal(readSurroundings({ CLAUDE_PROJECT_DIR: "/work/app" }).hostProject, "/work/app");
});

const terminals: [env: Record<string, string>, is: Partial<ReturnType<typeof readSurroundings>>][] = [
  [{ TERM: "dumb" }, { isDumb: true }],
  [{ FORCE_COLOR: "1" }, { isColourForced: true }],
  [{ FORCE_COLOR: "" }, { isColourForced: true }],
  [{ FORCE_COLOR: "0" }, { isColourForced: false }],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, { isColourForced: false }],
  [{ EDITOR: "nano" }, { editor: "nano" }],
  [{ EDITOR: "nano", VISUAL: "code --wait" }, { editor: "code --wait" }],
  [{ EDITOR: " ", VISUAL: "" }, { editor: null }],
];
for (const [env, is] of terminals)
  test(`${JSON.stringify(env)} means ${JSON.stringify(is)}`, () =>
    assert.deepEqual({ ...readSurroundings(env), ...is }, readSurroundings(env)));

for (const named of ["here", "~/stele", "./x"])
  test(`a home that is not absolute is refused: ${named}`, () => {
    assert.throws(() => homeFolder(undefined, { STELE_HOME: named }, "linux"), { code: "invalid_input" });
  });
