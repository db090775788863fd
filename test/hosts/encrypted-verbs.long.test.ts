/** Every verb, the hook and both servers on an encrypted home; after each of them no file of it tells a word of what it knows. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openEncryption } from "../../src/app/compose-encryption.ts";
import { catalog, type Operations } from "../../src/catalog/catalog.ts";
import { open, type Stele } from "../../src/index.ts";
import { runChild, startChild } from "../child.ts";
import { connect, environment, shippedServer, STELE } from "../mcp.ts";
import { claudeLines, writeTranscript } from "../sessions/transcript.ts";

const top = mkdtempSync(join(tmpdir(), "stele-verbs-"));
after(() => rmSync(top, { recursive: true, force: true }));
const [home, project, elsewhere, temporary] = ["home", "project", "elsewhere", "temporary"].map((name) =>
  join(top, name),
) as [string, string, string, string];
/** It is in everything that is stored, and in no file of the program. */
const WORD = "quetzalcoat";

/** In any case: words are indexed in small letters. */
function filesThatTell(): string[] {
  const within = (folder: string) => readdirSync(folder, { recursive: true, withFileTypes: true });
  return [home, temporary]
    .flatMap(within)
    .filter((entry) => entry.isFile() || entry.name.toLowerCase().includes(WORD))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => path.toLowerCase().includes(WORD) || textOf(path).toLowerCase().includes(WORD));
}

/** Servers take reports away while others look at them. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw thrown;
  }
}

/** What earlier verbs made, by the name under which later ones need it. */
type Known = Record<"memory" | "other" | "third" | "evidence" | "proposal" | "second" | "backup" | "note", string>;
type Name = keyof Operations;
type Input<N extends Name> = Parameters<Stele[N]>[0];

/** In an order in which each finds what it needs. */
const CALLS: { [N in Name]: (known: Known) => Input<N> } = {
  time: () => ({}),
  observe: () => ({ event: "user_feedback", content: `no, the ${WORD} eats fruit` }),
  orient: () => ({}),
  context: () => ({ query: WORD }),
  recall: () => ({ query: `where does the ${WORD} nest` }),
  get: ({ memory }) => ({ id: memory }),
  list: () => ({}),
  update: ({ memory }) => ({ id: memory, content: `the ${WORD} nests in old trees`, title: WORD }),
  promote: ({ other }) => ({ id: other, scope: "global" }),
  remember: () => ({ content: `a ${WORD} is green`, background: WORD, tags: [WORD], session: WORD }),
  link: ({ memory, third }) => ({ source: memory, target: third }),
  settle: ({ memory, third }) => ({ one: memory, other: third, as: "both", when: WORD }),
  unlink: ({ memory, third }) => ({ source: memory, target: third }),
  traverse: ({ memory }) => ({ id: memory }),
  relations: () => ({}),
  index: () => ({ all: true }),
  search_docs: () => ({ query: WORD }),
  search_code: () => ({ query: WORD }),
  related: () => ({ target: "birds.md" }),
  describe_code: () => ({ path: "bird.ts", description: `names the ${WORD}` }),
  check: () => ({ path: join(project, "birds.md"), against: join(elsewhere, "changed.md") }),
  summarize: () => ({}),
  propose: () => ({ subject: `the ${WORD}`, decision: `protect the ${WORD}`, rationale: `a ${WORD} is rare` }),
  proposals: () => ({}),
  ratify: ({ proposal }) => ({ id: proposal }),
  reject: ({ second }) => ({ id: second, reason: `no ${WORD} here` }),
  decisions: () => ({ subject: WORD }),
  why: () => ({ question: `why the ${WORD}?` }),
  log: () => ({ text: `A: we saw a ${WORD}\nB: where?`, title: WORD }),
  evidence: ({ evidence }) => ({ id: evidence }),
  import_adr: () => ({ path: join(project, "adr") }),
  extract: () => ({}),
  surface: () => ({ fresh: true }),
  sessions: () => ({ session: WORD }),
  judge: ({ note }) => ({ note, as: "right", text: `the ${WORD} nests high up` }),
  pause: () => ({}),
  resume: () => ({}),
  audit: () => ({ verify: true }),
  backup: () => ({}),
  export: () => ({ path: join(elsewhere, "x.stele"), journal: true }),
  import: () => ({ path: join(elsewhere, "x.stele") }),
  consolidate: () => ({}),
  merge: ({ memory, third }) => ({ first: memory, second: third }),
  backfill: () => ({}),
  maintain: () => ({}),
  redact: () => ({}),
  inspect: () => ({}),
  rollback: () => ({ last: 1 }),
  forget: ({ third }) => ({ target: third, purge: true }),
  restore: ({ backup }) => ({ id: backup }),
};

async function prepared(): Promise<void> {
  for (const folder of [home, join(project, "adr"), elsewhere, temporary])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(project, "birds.md"), `# Birds\n\nThe ${WORD} lives in cloud forests.\n`);
  writeFileSync(join(elsewhere, "changed.md"), `# Birds\n\nThe ${WORD} lives in deserts.\n`);
  writeFileSync(join(project, "bird.ts"), `export const bird = "${WORD}";\n`);
  writeFileSync(
    join(project, "adr", "0001-birds.md"),
    `# 1. Watch the ${WORD}\n\nStatus: accepted\n\n## Decision\n\nWe watch the ${WORD}.\n`,
  );
  const key = { kind: "file" as const, path: join(top, "keys", "stele.key") };
  await openEncryption({ home, lateHooksMs: 0 }).change(null, key);
}

const ask = async () => ({ action: "accept" as const, values: {} });

async function openStele(): Promise<Stele> {
  const settings = { embedder: { provider: "hash" as const }, dailyLog: { enabled: "on" as const } };
  return open({
    home,
    project,
    settings,
    ask: async ({ fields }) => {
      const values = Object.entries(fields).map(([name, field]) => [
        name,
        field.kind === "confirm" ? true : field.kind === "text" ? (field.default ?? WORD) : field.options[0]!,
      ]);
      return { ...(await ask()), values: Object.fromEntries(values) };
    },
  });
}

async function knownIn(stele: Stele): Promise<Known> {
  const remember = (content: string) => stele.remember({ content, compare: false });
  const [memory, other, third] = [
    await remember(`the ${WORD} nests in trees`),
    await remember(`feathers of the ${WORD} are long`),
    await remember(`nobody keeps a ${WORD}`),
  ];
  const evidence = await stele.log({ text: `A: a ${WORD} again\nB: yes`, title: WORD });
  const proposal = await stele.propose({ subject: WORD, decision: `draw the ${WORD}`, rationale: WORD });
  const second = await stele.propose({ subject: `a ${WORD}`, decision: `feed the ${WORD}`, rationale: WORD });
  const { id: backup } = await stele.backup({});
  const path = join(elsewhere, "session.jsonl");
  const said = `The ${WORD} must never be fed at night, because its keeper counts what is left in the morning.`;
  writeTranscript(path, claudeLines([{ prompt: `why is the ${WORD} hungry?` }, { reply: said }], WORD, project));
  await stele.extract({ path, end: true });
  const { notes } = await stele.sessions({ session: WORD });
  return {
    memory: memory.id,
    other: other.id,
    third: third.id,
    evidence: evidence.id,
    proposal: proposal.id,
    second: second.id,
    backup,
    note: notes[0]!.id,
  };
}

test("no verb leaves a word of the memory in a file that can be read", async () => {
  await prepared();
  const formerly = process.env["TMPDIR"];
  process.env["TMPDIR"] = temporary;
  const stele = await openStele();
  try {
    const known = await knownIn(stele);
    assert.deepEqual(Object.keys(CALLS).sort(), [...catalog.names].sort());
    for (const [name, inputOf] of Object.entries(CALLS)) {
      const call = stele[name as Name] as (input: object) => Promise<unknown>;
      await call(inputOf(known)).catch((thrown: Error) => assert.fail(`${name}: ${thrown.message}`));
      assert.deepEqual(filesThatTell(), [], name);
    }
  } finally {
    await stele.close();
    process.env["TMPDIR"] = formerly;
  }
  assert.deepEqual(filesThatTell(), []);
  assert.ok(!readdirSync(home).includes("daily"));
});

test("nor do hooks, servers and commands", async () => {
  const env = { ...environment(home, { TMPDIR: temporary }), STELE_EMBEDDER_PROVIDER: "hash" };
  const run = (argv: readonly string[], input = "") => runChild(null, [STELE, ...argv], { cwd: project, env, input });
  const event = { session_id: WORD, cwd: project, hook_event_name: "UserPromptSubmit", prompt: `feed the ${WORD}` };
  const hook = ["hook", "--host", "claude-code"];
  for (const input of [JSON.stringify(event), JSON.stringify(event).slice(0, -5), `{"${WORD}":`, WORD]) {
    assert.equal((await run(hook, input)).code, 0);
    assert.deepEqual(filesThatTell(), [], input);
  }
  await using http = startChild(null, [STELE, "serve", "--port", "0"], { cwd: project, env, input: null });
  await http.spoke();
  const client = await connect(shippedServer(home, "--project", project));
  try {
    await client.callTool({ name: "remember", arguments: { content: `the ${WORD} sings` } });
    const { url } = JSON.parse(readFileSync(join(home, "run", "http.json"), "utf8")) as { url: string };
    const token = readFileSync(join(home, "run", "http-token"), "utf8").trim();
    const response = await fetch(new URL("/v1/recall", url), {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ project, query: WORD }),
    });
    assert.match(await response.text(), new RegExp(WORD));
    assert.deepEqual(filesThatTell(), []);
    for (const argv of [["doctor"], ["doctor", "--recover"], ["inspect"], ["recall", WORD], ["completion", "bash"]]) {
      await run(argv);
      assert.deepEqual(filesThatTell(), [], argv.join(" "));
    }
  } finally {
    await client.close();
  }
  http.kill("SIGTERM");
  assert.equal((await http.ended).code, 0);
  assert.deepEqual(filesThatTell(), []);
});
