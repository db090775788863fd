/** Recognises entries of a configuration that start Stele, and tells which installation they start. */
import {
  type ConnectScope,
  type DataFolder,
  type HostId,
  HOSTS,
  type Program,
  PROJECT_HEADER,
  type Shell,
} from "./connection.ts";
import { isObject, type Json } from "./json-text.ts";

/**
 * Carries the data folder into a host's configuration when it is not the default one.
 *
 * A host may be started without its person's variables, and would then write to another memory than their terminal. A server
 * gets the folder through its environment, a hook through a flag: no host lets every hook have variables, and shells set them
 * in different ways.
 */
export const HOME_VARIABLE = "STELE_HOME";
const HOME_FLAG = "--home";
/** What hosts call the variables of a server. */
const VARIABLES = ["env", "environment"];

/** What a server's environment must say; null if nothing. */
export const variablesFor = ({ path, variable }: DataFolder): Record<string, string> | null =>
  variable === HOME_VARIABLE ? { [HOME_VARIABLE]: path } : null;

/** What a hook's command must say. */
export const wordsFor = ({ path, variable }: DataFolder): string[] =>
  variable === HOME_VARIABLE ? [HOME_FLAG, path] : [];

/** The folder that an entry names; null if it names none. `rest`: the words of its command behind the program. */
function homeNamedIn(value: { [key: string]: Json }, rest: readonly string[]): string | null {
  const named = VARIABLES.map((key) => value[key])
    .filter(isObject)
    .map((variables) => variables[HOME_VARIABLE])
    .find((one) => typeof one === "string");
  return named ?? rest[rest.indexOf(HOME_FLAG) + 1 || rest.length] ?? null;
}

/** The words with this folder instead of another one. */
export function withHomeWords(rest: readonly string[], path: string): string[] {
  const at = rest.indexOf(HOME_FLAG);
  const others = at === -1 ? rest : [...rest.slice(0, at), ...rest.slice(at + 2)];
  return [...others, HOME_FLAG, path];
}

/** Whether an entry must be told of our folder. One that a person has named is left alone while we use the default. */
export const lacksHome = (home: string | null, data: DataFolder): boolean =>
  data.variable === HOME_VARIABLE && !isSame(home, data.path);

/** Whether an entry leads to another folder than ours, as far as its configuration tells. */
export const isElsewhere = (home: string | null, data: DataFolder): boolean =>
  lacksHome(home, data) || (home !== null && !isSame(home, data.path));

const isSame = (home: string | null, path: string): boolean => trimmed(home ?? "") === trimmed(path);
const trimmed = (path: string): string => path.replace(/(?<=.)[\\/]+$/, "");

/**
 * A command as one string, for hosts that take no list of arguments, and back into words.
 *
 * Windows hosts run it in cmd or in PowerShell. Where it is not known which (`either`), the program is left without quotes,
 * because each takes a quoted program in its own way only; if it needs them, the `node` on the path is named instead.
 */
const SAFE = /^[\w@%+=:,./-]+$/;
const SAFE_ON_WINDOWS = /^[\w@+=:./\\-]+$/;

export function commandLine(words: readonly string[], shell: Shell): string {
  const isSafe = (word: string) => (shell === "sh" ? SAFE : SAFE_ON_WINDOWS).test(word);
  const quoted = words.map((word) => (isSafe(word) ? word : inQuotes(word, shell)));
  if (shell === "powershell" && !isSafe(words[0]!)) quoted.unshift("&");
  if (shell === "either" && !isSafe(words[0]!)) quoted[0] = "node";
  return quoted.join(" ");
}

function inQuotes(word: string, shell: Shell): string {
  if (shell === "sh") return `'${word.replaceAll("'", "'\\''")}'`;
  return shell === "powershell" ? `'${word.replaceAll("'", "''")}'` : `"${word}"`;
}

/** The words of a command, however it was quoted. */
export function wordsOf(line: string): string[] {
  const words: string[] = [];
  const pattern = /(?:'(?:[^']|'')*'|"[^"]*"|\\['"]|[^\s'"\\]|\\(?!['"]))+/g;
  for (const [word] of line.matchAll(pattern)) {
    const plain = word.replace(
      /'((?:[^']|'')*)'|"([^"]*)"|\\(['"])/g,
      (_, single?: string, double?: string, sign?: string) =>
        single !== undefined ? single.replaceAll("''", "'") : (double ?? sign ?? ""),
    );
    if (plain !== "&" || words.length > 0) words.push(plain);
  }
  return words;
}

// Entries for a server that a host reaches over HTTP instead of starting it.
//
// The token itself is never written: a configuration is read by more programs than we know, and shared with a repository.
// Each host is told where to find it, in a way of its own: a command that prints it, or a variable of the person's shell.

/** What people set to the token, for hosts that read it from there. */
const TOKEN_VARIABLE = "STELE_HTTP_TOKEN";
const MCP_PATH = "mcp";

type Table = { [key: string]: Json };

interface Reached {
  scope: ConnectScope;
  /** The folder to connect, for an entry of one project. */
  project: string;
  program: Program & { url: string };
  shell: Shell;
}

const bearer = (variable: string): string => `Bearer ${variable}`;
const inWorkspace = (url: string): Table => ({
  url,
  headers: { Authorization: bearer(`\${env:${TOKEN_VARIABLE}}`), [PROJECT_HEADER]: "${workspaceFolder}" },
});

const ENTRIES: Record<HostId, (reached: Reached, url: string, project: string | null) => Table> = {
  "claude-code": ({ program, shell }, url, project) => ({
    type: "http",
    url,
    headers: { [PROJECT_HEADER]: project ?? "${PWD}" },
    headersHelper: commandLine([program.node, program.entry, "serve", "--headers", ...wordsFor(program.data)], shell),
  }),
  codex: (_reached, url, project) => ({
    url,
    bearer_token_env_var: TOKEN_VARIABLE,
    ...(project === null
      ? { env_http_headers: { [PROJECT_HEADER]: "PWD" } }
      : { http_headers: { [PROJECT_HEADER]: project } }),
  }),
  cursor: (_reached, url) => inWorkspace(url),
  vscode: (_reached, url) => ({ type: "http", ...inWorkspace(url) }),
  gemini: (_reached, url, project) => ({
    httpUrl: url,
    headers: { Authorization: bearer(`\${${TOKEN_VARIABLE}}`), [PROJECT_HEADER]: project ?? "${PWD}" },
  }),
};

/** These learn the project from the folder that a shell started them in; shells of Windows do not say. */
const ASK_THE_SHELL: readonly HostId[] = ["claude-code", "codex", "gemini"];
/** These read the token from a variable. */
const READ_VARIABLE: readonly HostId[] = ["codex", "cursor", "vscode", "gemini"];

/** A token is sent to this machine only. */
const isOnThisMachine = (url: string): boolean =>
  URL.canParse(url) && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** Why a host cannot be connected over HTTP, and what to do instead; null if it can. */
export function httpTrouble(
  host: string,
  { url, scope, platform }: { url: string; scope: ConnectScope; platform: string },
): { message: string; hint: string } | null {
  const known = HOSTS.find((name) => name === host);
  if (known === undefined) {
    const hint = "Connect it without --http: it then starts the server by itself.";
    return { message: `${host} has no safe place for the token.`, hint };
  }
  if (!isOnThisMachine(url)) {
    return {
      message: `The server is at ${url}, not on this machine.`,
      hint: "Write the entry by hand; docs/http.md tells how.",
    };
  }
  if (platform !== "win32" || scope === "project" || !ASK_THE_SHELL.includes(known)) return null;
  return { message: `On Windows ${host} does not say which project it works in.`, hint: "Add --project DIR." };
}

export function httpEntry(host: HostId, reached: Reached): Table {
  const project = reached.scope === "project" ? encodeURI(reached.project) : null;
  return ENTRIES[host](reached, new URL(MCP_PATH, reached.program.url).href, project);
}

/** What a person should know afterwards. */
export function httpAdvice(host: HostId, tokenFile: string): string[] {
  const running = "It answers while `stele serve` runs.";
  if (!READ_VARIABLE.includes(host)) return [running];
  return [running, `Start the host from a shell that has the token: export ${TOKEN_VARIABLE}="$(cat '${tokenFile}')"`];
}

/** Fields by which a host reaches or starts a server; all others are the person's own. */
const TRANSPORT: readonly string[] = [
  ...["command", "args", "env", "environment", "cwd", "type", "url", "httpUrl", "headers", "headersHelper"],
  ...["bearer_token_env_var", "http_headers", "env_http_headers"],
];

const addressIn = ({ url, httpUrl }: Table): string | null =>
  [url, httpUrl].find((address) => typeof address === "string") ?? null;

/** How an entry must read to lead where it is wanted, if it or the wanted one is reached over HTTP; null if it need not change. */
export function ledAs(value: Json, wanted: Json): Table | null {
  const [entry, other] = [value as Table, wanted as Table];
  if (addressIn(entry) === null && addressIn(other) === null) return null;
  const own = Object.entries(entry).filter(([key]) => !TRANSPORT.includes(key));
  const led = { ...other, ...Object.fromEntries(own) };
  return sorted(led) === sorted(entry) ? null : led;
}

const sorted = (value: Json): string =>
  JSON.stringify(value, (_key, one: Json) =>
    typeof one === "object" && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );

export interface Started {
  /** What stands before the entry. */
  runner: string[];
  /** The program that runs the entry; null if the entry is started by itself. */
  node: string | null;
  /** A path, or the bare name of a command that the system finds. */
  entry: string;
  /** What follows the entry: `mcp`, `hook`, … */
  rest: string[];
  /** The command is one string. */
  isLine: boolean;
  /** The data folder it names; null if it leaves that to its surroundings. */
  home: string | null;
  /** Where the host reaches the server over HTTP; null if it starts it. */
  url: string | null;
}

const ENTRY = /(?:^|[\\/])bin[\\/]stele\.js$/;
const COMMAND = /(?:^|[\\/])stele(?:\.cmd|\.exe)?$/;

const NPX: readonly string[] = ["npx", "-y", "--yes"];

/** What may stand before the entry: the Node that runs it, whatever its name. A longer command runs what it likes. */
const areRunner = (words: readonly string[], entry: string): boolean =>
  words.every((word) => NPX.includes(word)) || (words.length === 1 && ENTRY.test(entry));

/** Null if the entry starts something else. */
export function startedBy(value: Json): Started | null {
  if (!isObject(value)) return null;
  const url = addressIn(value);
  if (url !== null) return reachedAt(url, value);
  const { command, args } = value;
  const texts = (list: Json | undefined) => (Array.isArray(list) ? list.filter((one) => typeof one === "string") : []);
  const isLine = typeof command === "string" && args === undefined;
  const words = isLine
    ? wordsOf(command)
    : [...(typeof command === "string" ? [command] : texts(command)), ...texts(args)];
  const at = words.findIndex((word) => ENTRY.test(word) || COMMAND.test(word));
  if (at === -1 || !areRunner(words.slice(0, at), words[at]!)) return null;
  const rest = words.slice(at + 1);
  const runner = words.slice(0, at);
  return { runner, node: runner.at(-1) ?? null, entry: words[at]!, rest, isLine, home: homeNamedIn(value, rest), url };
}

/** A server over HTTP is ours if it is opened with our token, which our program prints or our variable holds. */
function reachedAt(url: string, value: { [key: string]: Json }): Started | null {
  if (!isOnThisMachine(url)) return null;
  const { headersHelper = null } = value;
  const helper = headersHelper === null ? null : startedBy({ command: headersHelper });
  if (helper?.rest[0] === "serve") return { ...helper, rest: SERVES, url };
  const bare = { runner: [], node: null, entry: "stele", rest: SERVES, isLine: false, home: null };
  return JSON.stringify(value).includes(TOKEN_VARIABLE) ? { ...bare, url } : null;
}

const SERVES = ["mcp"];

/** Whether the entry starts this installation, or is a command that the system finds by its name. */
export function isCurrent({ node, entry }: Started, program: Program): boolean {
  if (!/[\\/]/.test(entry)) return true;
  return entry === program.entry && (node === program.node || node === "node");
}
