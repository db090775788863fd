/**
 * Entries for a server that a host reaches over HTTP instead of starting it.
 *
 * The token itself is never written: a configuration is read by more programs than we know, and shared with a repository.
 * Each host is told where to find it, in a way of its own: a command that prints it, or a variable of the person's shell.
 */
import {
  type ConnectScope,
  HOSTS,
  type HostId,
  PROJECT_HEADER,
  type Program,
  type Shell,
} from "../../model/connect/host.ts";
import type { Json } from "../../model/connect/json.ts";
import { wordsFor } from "./carried-home.ts";
import { commandLine } from "./command-line.ts";

/** What people set to the token, for hosts that read it from there. */
export const TOKEN_VARIABLE = "STELE_HTTP_TOKEN";
const MCP_PATH = "mcp";

type Table = { [key: string]: Json };

export interface Reached {
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
    ...{ type: "http", url, headers: { [PROJECT_HEADER]: project ?? "${PWD}" } },
    headersHelper: commandLine([program.node, program.entry, "serve", "--headers", ...wordsFor(program.data)], shell),
  }),
  codex: (_reached, url, project) => ({
    ...{ url, bearer_token_env_var: TOKEN_VARIABLE },
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
export const isOnThisMachine = (url: string): boolean =>
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

export const addressIn = ({ url, httpUrl }: Table): string | null =>
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
