/**
 * Runs the examples of verbs: each in the same small project, with a memory of everything that examples name.
 *
 * An example must succeed; it shows no output. The project and the home are put back before each one.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Sqlite from "better-sqlite3-multiple-ciphers";
import type { Played } from "./play.ts";
import { runCommand } from "./run-command.ts";
import type { Shell } from "./shell.ts";
import type { Script } from "./steps.ts";

const CLAUDE_MEM = fileURLToPath(new URL("../../test/transfer/importers/sources/claude-mem.sql", import.meta.url));

/** What a handle of an example stands for; a memory if nothing is said. */
type Kind = "memory" | "other" | "proposal" | "decision" | "evidence" | "call";
const FIRST_HANDLE = "7fd436b5";
const FIRST_KINDS: Record<string, Kind> = {
  propose: "decision",
  ratify: "proposal",
  reject: "proposal",
  evidence: "evidence",
  rollback: "call",
};
const OTHER_HANDLES = /\b(?:1c9e02aa|a04e71c2)\b/g;
const NOTE_ID = "3f9a1c07";
const EXPORT = "stele.jsonl";

const FILES: Record<string, string> = {
  "README.md": "# Shop\n\nHow we release: tag main, see [the guide](docs/guide.md).\n",
  "docs/guide.md": "# Guide\n\nDeploys need the VPN. Retries wait a second. See [the readme](../README.md).\n",
  "docs/rules.md": "# Rules\n\nThe client must retry.\n",
  "docs/adr/0001-tokens.md": "# 1. Tokens\n\n## Status\n\nAccepted\n\n## Decision\n\nWe use tokens, not cookies.\n",
  "new.md": "# New\n\nThe server must answer within a second.\n",
  "notes.txt": "Bo: the release waits for the review.\n",
  "src/parser.ts":
    "export class ParserError extends Error {}\nexport const parse = () => { throw new ParserError(); };\n",
  "src/session.ts": "// Sessions.\nexport function getUserByID(id: string) {\n  return { id, idleMinutes: 30 };\n}\n",
  "CLAUDE.md": "# Shop\n\n## Style\n\n- Use tabs for indentation.\n",
  ".cursor/rules/react.mdc": "- Use server components unless state is needed.\n",
  "cyberk-flow/specs/login.md": "# Login\n\n### Requirement: Sessions\n\nThe system SHALL end idle sessions.\n",
  "cyberk-flow/changes/add-login/specs/login.md":
    "# Login\n\n### Requirement: Passkeys\n\nThe system SHALL accept passkeys.\n",
};

const TRANSCRIPT = ".claude/projects/-home-me-shop/1f6c.jsonl";
/** Long enough for a note, and with a reason. */
const NOTED =
  "Deploys run in CI, because the VPN is not reachable from a laptop: the runner in `deploy.yml` has the only key.";
const turn = (type: string, content: string) =>
  JSON.stringify({
    type,
    uuid: type,
    sessionId: "1f6c",
    cwd: "/home/me/shop",
    timestamp: "2026-01-15T09:00:00.000Z",
    message: { role: type, content },
  });

/** Handles by what they stand for. */
type Handles = Record<Kind | "note", string>;

export async function playExamples(step: Script, folder: string, shell: Shell): Promise<Played[]> {
  const { template, handles } = await templateIn(folder, shell);
  const played: Played[] = [];
  for (const example of step.script.split("\n")) {
    putBack(template);
    // The one that is there is for examples that read it.
    if (example.startsWith(`stele export ${EXPORT}`)) rmSync(EXPORT);
    const command = withHandles(example, handles);
    // An editor needs a whole terminal, not only somebody who answers.
    const { code, output } = command.endsWith(" --edit")
      ? await shell.run({ script: command, isInClone: false, typed: [""] })
      : await runCommand(command, agree, shell);
    played.push({ step, output, difference: code === 0 ? null : `${example} ended with ${code}` });
  }
  return played;
}

/** The first of several, and yes to everything else. */
const agree = (question: string): string => (/\[y\/N\]/i.test(question) ? "y" : "1");

function withHandles(example: string, handles: Handles): string {
  const verb = example.split(" ")[1]!;
  return example
    .replaceAll(FIRST_HANDLE, handles[FIRST_KINDS[verb] ?? "memory"])
    .replaceAll(OTHER_HANDLES, handles.other)
    .replaceAll(NOTE_ID, handles.note);
}

const places = (): [name: string, path: string][] => [
  ["project", process.cwd()],
  ["home", process.env["HOME"]!],
];

function putBack(template: string): void {
  const project = process.cwd();
  for (const [name, path] of places()) {
    rmSync(path, { recursive: true });
    cpSync(join(template, name), path, { recursive: true, verbatimSymlinks: true });
  }
  process.chdir(project);
}

/** Made once, for all verbs. */
async function templateIn(folder: string, shell: Shell): Promise<{ template: string; handles: Handles }> {
  const template = join(folder, "template");
  const known = join(template, "handles.json");
  if (!existsSync(known)) {
    const handles = await fill(shell);
    mkdirSync(template);
    for (const [name, path] of places())
      cpSync(path, join(template, name), { recursive: true, verbatimSymlinks: true });
    writeFileSync(known, JSON.stringify(handles));
  }
  return { template, handles: JSON.parse(readFileSync(known, "utf8")) as Handles };
}

async function fill(shell: Shell): Promise<Handles> {
  const home = process.env["HOME"]!;
  for (const [path, text] of Object.entries(FILES)) put(path, text);
  put(join(home, TRANSCRIPT), `${turn("user", "Where do deploys run?")}\n${turn("assistant", NOTED)}\n`);
  put(join(home, ".claude-mem/claude-mem.db"), "");
  const db = new Sqlite(join(home, ".claude-mem/claude-mem.db"));
  db.exec(readFileSync(CLAUDE_MEM, "utf8"));
  db.close();
  await must("rmdir .git && git init --quiet && git add README.md", shell);
  await must("git -c user.name=a -c user.email=a@b.c commit --quiet --message 'Tag releases on main'", shell);
  await must(`stele extract ~/${TRANSCRIPT}`, shell);
  const { notes } = answerOf(await must("stele sessions 1f6c --json", shell)) as { notes: { id: string }[] };
  const memory = await made('stele remember "Deploys need the VPN" --type gotcha --json', shell);
  const other = await made('stele remember "The release waits for the review" --relates ' + memory.handle, shell);
  await must(`stele link ${memory.handle} ${other.handle} --relation refines`, shell);
  await must('stele remember "Opened the nightly build" --scope working --session nightly', shell);
  const decided = await made('stele propose --subject auth --decision "Sessions in cookies"', shell);
  const decision = await made(`stele ratify ${decided.handle}`, shell);
  const proposal = await made('stele propose --subject queue --decision "One queue for all jobs"', shell);
  const evidence = await made('stele log "Ann: tokens or cookies? Bo: tokens, for the first release"', shell);
  await must("stele index", shell);
  await must("stele backup", shell);
  // The file then has a later version of the memory than the store.
  const update = await made(`stele update ${memory.handle} --priority 9`, shell);
  await must(`stele export ${EXPORT}`, shell);
  await must("stele export .stele --split", shell);
  await must(`stele rollback ${update.call}`, shell);
  return {
    memory: memory.handle,
    other: other.handle,
    proposal: proposal.handle,
    evidence: evidence.handle,
    decision: decision.handle,
    call: other.call,
    note: notes[0]!.id.slice(0, NOTE_ID.length),
  };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

async function must(command: string, shell: Shell): Promise<string> {
  const { code, output } = await runCommand(command, agree, shell);
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${output}`);
  return output;
}

/** Runs a command that makes something, and returns what it is called. */
async function made(command: string, shell: Shell): Promise<{ handle: string; call: string }> {
  const output = await must(`${command.replace(" --json", "")} --json`, shell);
  return answerOf(output) as { handle: string; call: string };
}

const answerOf = (output: string): unknown => JSON.parse(output.slice(output.indexOf("{")));
