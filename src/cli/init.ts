/**
 * `stele init`: connects hosts, disconnects them, or prints what to write by hand.
 *
 * Nothing is written before a person has seen the difference and agreed, or `--yes` was given. Without a host, those
 * found on this machine are offered one by one, and then the sessions they already had.
 */
import { type HostId, HOSTS, type PlannedHost, PRINTED_HOSTS, type PrintedHostId } from "../agents/connection.ts";
import { Failure, nearest, toFailure } from "../errors.ts";
import { counted } from "../text/short-text.ts";
import { commandFlags } from "./commands.ts";
import { promptAt } from "./prompt.ts";
import { type Io, type Terminal, terminal } from "./terminal.ts";
import { spelt } from "./typed-command.ts";

export interface History {
  /** What a person would type. */
  command: string;
  preview(): Promise<{ sessions: number; text: string }>;
  read(): Promise<string>;
}

export interface Connector {
  hosts(): { host: HostId; title: string; isFound: boolean }[];
  plan(host: HostId, kind: PlannedHost["kind"]): { shown: PlannedHost; apply(): void };
  snippets(host: PrintedHostId): { path: string; text: string }[];
  history(): Promise<History>;
}

interface InitOptions {
  io: Io;
  /** Whether a person, not a program, is at the terminal. */
  attended: boolean;
  open(options: { project: string | undefined; http: boolean }): Connector;
}

interface Flags {
  host: PrintedHostId | null;
  remove: boolean;
  print: boolean;
  yes: boolean;
  dryRun: boolean;
  json: boolean;
  http: boolean;
  project: string | undefined;
}

/** What was done for one host, or would be. */
interface Done {
  host: HostId;
  scope: PlannedHost["scope"];
  status: "connected" | "updated" | "unchanged" | "removed" | "absent" | "planned" | "declined";
  files: PlannedHost["changes"];
  stale: string[];
  homes: string[];
  advice: string[];
}

interface Session extends Flags {
  connector: Connector;
  screen: Terminal;
  confirm: ((label: string) => Promise<boolean>) | null;
}

export async function runInit(argv: readonly string[], options: InitOptions): Promise<number> {
  const screen = terminal(options.io, { json: argv.includes("--json") });
  try {
    const flags = flagsOf(argv);
    const session = { ...flags, connector: options.open(flags), screen, confirm: confirmAt(options) };
    if (flags.print) return await print(session);
    if (flags.host === null) return await offerAll(session);
    const done = await one(flags.host as HostId, session);
    if (flags.json) await screen.document(done);
    return 0;
  } catch (thrown) {
    return await screen.failure(toFailure(thrown));
  }
}

function confirmAt(options: InitOptions): Session["confirm"] {
  const ask = promptAt(options.io, options);
  if (ask === undefined) return null;
  return async (label) => {
    const reply = await ask({ message: "", fields: { agreed: { kind: "confirm", label } } });
    return reply.action === "accept" && reply.values["agreed"] === true;
  };
}

async function one(host: HostId, session: Session): Promise<Done> {
  const { shown, apply } = session.connector.plan(host, session.remove ? "remove" : "connect");
  const { scope, changes: files, stale, homes, advice, title, kind } = shown;
  const done = { host, scope, files: files.map(({ path, diff }) => ({ path, diff })), stale, homes };
  const say = async (text: string) => (session.json ? undefined : session.screen.text(text));
  if (files.length === 0) {
    await say(kind === "connect" ? `${title} is already connected.` : `${title} is not connected.`);
    return { ...done, status: kind === "connect" ? "unchanged" : "absent", advice: [] };
  }
  if (stale.length > 0) await say(`${title} is led elsewhere (${stale.join(", ")}); it is pointed to this one.`);
  if (homes.length > 0)
    await say(
      `${title} keeps its memories in ${homes.map((home) => home || "the default folder").join(", ")}; it is pointed to yours.`,
    );
  if (!session.json) await showDiffs(host, files, session);
  if (session.dryRun) {
    await say("Dry run: nothing was written.");
    return { ...done, status: "planned", advice };
  }
  if (!(await isAgreed(kind === "connect" ? `Connect ${title}?` : `Disconnect ${title}?`, session))) {
    if (session.host !== null) throw new Failure("refused", "Nothing was changed.", "Run it again when you are ready.");
    await say(`${title} was left as it is.`);
    return { ...done, status: "declined", advice: [] };
  }
  apply();
  await say(outcome(shown, session.project));
  const isUpdate = stale.length + homes.length > 0;
  return { ...done, status: kind === "remove" ? "removed" : isUpdate ? "updated" : "connected", advice };
}

/** A question must stay in sight of what it is about, so a long difference is cut before one. */
const DIFF_LINES = 12;

async function showDiffs(host: HostId, files: PlannedHost["changes"], session: Session): Promise<void> {
  const isAsked = session.confirm !== null && !session.yes && !session.dryRun;
  let left = 0;
  for (const { diff } of files) {
    const lines = diff.trimEnd().split("\n");
    const rest = isAsked ? Math.max(0, lines.length - DIFF_LINES) : 0;
    await session.screen.diff(lines.slice(0, lines.length - rest).join("\n"));
    if (rest > 0) await session.screen.text(`… ${counted(rest, "more line")}`);
    left += rest;
  }
  const { remove, http, project } = session;
  const flags = [remove && "--remove", host, http && "--http", project && `--project ${spelt(project)}`, "--dry-run"];
  if (left > 0) await session.screen.text(`\`stele init ${flags.filter(Boolean).join(" ")}\` shows every line.`);
}

async function isAgreed(label: string, { yes, confirm }: Session): Promise<boolean> {
  if (yes) return true;
  if (confirm !== null) return confirm(label);
  const hint = "Run it with `--yes`, or with `--dry-run` to see what would change.";
  throw new Failure("refused", "Nobody is here to agree, so nothing was changed.", hint);
}

function outcome({ title, kind, host, changes, advice }: PlannedHost, project: string | undefined): string {
  const files = counted(changes.length, "file");
  if (kind === "remove") return `Disconnected ${title}: ${files} restored.`;
  const flag = project === undefined ? "" : ` --project ${spelt(project)}`;
  return [`Connected ${title}: ${files} written. Undo with \`stele init --remove ${host}${flag}\`.`, ...advice].join(
    "\n",
  );
}

async function print({ host, connector, screen, json }: Session): Promise<number> {
  if (host === null)
    throw new Failure("invalid_input", "Which host?", `One of ${[...HOSTS, ...PRINTED_HOSTS].join(", ")}.`);
  const snippets = connector.snippets(host);
  if (json) await screen.document({ host, files: snippets });
  else await screen.text(snippets.map(({ path, text }) => `${path}\n\n${text}\n`).join("\n"));
  return 0;
}

/** A host that cannot be connected does not keep the others from it. */
async function offerAll(session: Session): Promise<number> {
  const { connector, screen, json } = session;
  if (session.remove) throw new Failure("invalid_input", "Which host?", `One of ${HOSTS.join(", ")}.`);
  const found = connector.hosts().filter(({ isFound }) => isFound);
  if (found.length === 0 && !json)
    await screen.text(`No host was found here. Connect one by name: ${HOSTS.join(", ")}.`);
  const done: (Done | (ReturnType<Failure["toJSON"]> & { host: HostId }))[] = [];
  let code = 0;
  for (const { host } of found) {
    try {
      done.push(await one(host, session));
    } catch (thrown) {
      const failure = toFailure(thrown);
      if (failure.code === "refused") throw failure;
      code = 1;
      done.push({ host, ...failure.toJSON() });
      if (!json) await screen.failure(failure);
    }
  }
  if (json) await screen.document({ hosts: done });
  else if (found.length > 0) await offerHistory(session);
  return code;
}

async function offerHistory({ connector, screen, confirm, yes, dryRun }: Session): Promise<void> {
  const { command, preview, read } = await connector.history();
  if (yes || dryRun || confirm === null)
    return screen.text(`Sessions from before: \`${command}\` reads those of this project.`);
  const { sessions, text } = await preview();
  if (sessions === 0) return;
  await screen.text(`This project had ${counted(sessions, "session")} already. ${text}`);
  if (await confirm("Read them now?")) await screen.text(await read());
}

const ALIASES: Readonly<Record<string, PrintedHostId>> = {
  claude: "claude-code",
  code: "vscode",
  "gemini-cli": "gemini",
};

function flagsOf(argv: readonly string[]): Flags {
  const flag = { type: "boolean", default: false } as const;
  const options = {
    remove: flag,
    print: flag,
    yes: flag,
    "dry-run": flag,
    json: flag,
    http: flag,
    project: { type: "string" },
  } as const;
  const { values, positionals } = commandFlags("init", argv, { options, allowPositionals: true });
  const { "dry-run": dryRun, project, ...rest } = values;
  if (positionals.length > 1) throw mistaken("Name one host at a time.");
  if (rest.remove && rest.print) throw mistaken("--remove and --print exclude each other.");
  if (rest.remove && rest.http) throw mistaken("--remove takes out either kind of entry; leave --http out.");
  const host = positionals[0] === undefined ? null : hostNamed(positionals[0], rest);
  return { ...rest, dryRun, project, host };
}

const mistaken = (message: string) => new Failure("invalid_input", message, "See `stele init --help`.");

function hostNamed(word: string, { print: isPrinted, remove }: Pick<Flags, "print" | "remove">): PrintedHostId {
  const all: PrintedHostId[] = [...HOSTS, ...PRINTED_HOSTS];
  const named = Object.hasOwn(ALIASES, word) ? ALIASES[word] : all.find((host) => host === word);
  if (named !== undefined && (isPrinted || (HOSTS as readonly string[]).includes(named))) return named;
  if (named !== undefined) {
    const hint = `\`stele init --print ${named}\` prints what to write.`;
    throw new Failure("invalid_input", `${named} is set up by hand.`, hint);
  }
  const close = nearest(word, [...all, ...Object.keys(ALIASES)]);
  const isByHand = isPrinted || (PRINTED_HOSTS as readonly (string | null)[]).includes(close);
  const command = isByHand ? "stele init --print" : remove ? "stele init --remove" : "stele init";
  const hint =
    close === null ? `One of ${(isPrinted ? all : HOSTS).join(", ")}.` : `Did you mean \`${command} ${close}\`?`;
  throw new Failure("invalid_input", `There is no host "${word}".`, hint);
}
