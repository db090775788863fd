/** What a host's configuration should hold, made from the table of hosts for one installation. */
import type {
  ConnectScope,
  HostId,
  Places,
  PrintedHostId,
  Program,
  Shell,
  Wanted,
  WantedFile,
} from "../../model/connect/host.ts";
import type { Json } from "../../model/connect/json.ts";
import { variablesFor, wordsFor } from "./carried-home.ts";
import { commandLine } from "./command-line.ts";
import { httpEntry } from "./http-entries.ts";
import { DIGEST_SECONDS, HOST_TABLE, type HookRule, STEPS, type ServerRule, type Step } from "./host-table.ts";

/** The name of our server in every configuration. */
export const SERVER = "stele";

export function wantedFiles(host: PrintedHostId, scope: ConnectScope, program: Program, places: Places): WantedFile[] {
  const { files, windowsShell } = HOST_TABLE[host];
  const shell = places.platform === "win32" ? windowsShell : "sh";
  const command = [program.node, program.entry];
  return (files[scope] ?? []).map(({ path, format, server, hooks }) => ({
    ...{ path: path(places), format, shell },
    entries: [
      ...(server === undefined ? [] : [serverOf(host, scope, server, { program, places, shell })]),
      ...(hooks === undefined
        ? []
        : hookEntries(hooks, {
            ...{ command, shell, host: host === "claude-code" ? null : host, more: wordsFor(program.data) },
          })),
    ],
  }));
}

function serverOf(
  host: PrintedHostId,
  scope: ConnectScope,
  rule: ServerRule,
  { program, places, shell }: { program: Program; places: Places; shell: Shell },
): Wanted {
  const started = serverEntry(rule, [program.node, program.entry], variablesFor(program.data));
  const { url } = program;
  if (url === undefined) return started;
  const reached = { scope, project: places.project, program: { ...program, url }, shell };
  return { ...started, value: httpEntry(host as HostId, reached) };
}

/** `command`: the words that start Stele; `variables`: what its environment must say. */
export function serverEntry(
  { under, shape, args }: ServerRule,
  command: readonly string[],
  variables: Record<string, string> | null = null,
): Wanted {
  const words = [...command, "mcp", ...args];
  const plain = { command: words[0]!, args: words.slice(1), ...(variables && { env: variables }) };
  const value: Json =
    shape === "argv"
      ? { type: "local", command: words, enabled: true, ...(variables && { environment: variables }) }
      : shape === "stdio"
        ? { type: "stdio", ...plain }
        : plain;
  return { kind: "server", path: [under], key: SERVER, value, words };
}

interface Setting {
  /** The words that start Stele. */
  command: readonly string[];
  shell: Shell;
  /** Named in the command, unless hosts that read each other's hooks would be named wrongly. */
  host: string | null;
  /** Words behind all others. */
  more?: readonly string[];
}

export function hookEntries(rule: HookRule, setting: Setting): Wanted[] {
  const constants = Object.entries(rule.constants ?? {}).map(
    ([key, value]): Wanted => ({ kind: "constant", path: [], key, value, words: [] }),
  );
  const steps = Object.entries(rule.events) as [Step, string][];
  return [...constants, ...steps.flatMap(([step, event]) => entriesOf(step, event, rule, setting))];
}

function entriesOf(step: Step, event: string, rule: HookRule, { command, shell, host, more = [] }: Setting): Wanted[] {
  const named = host === null ? [] : ["--host", host];
  const words = [...command, "hook", ...named, ...more];
  const seconds = step === "end" ? Math.min(STEPS.end, rule.endSeconds ?? STEPS.end) : STEPS[step];
  const made = [hook(event, words, seconds, rule, shell)];
  // What a session leaves at its end is taken in by the hook that begins the next one: a second one would only compete.
  if (rule.hasBackground && step === "turnEnd") {
    const digest = [...command, "hook", "digest", ...more];
    made.push(hook(event, digest, DIGEST_SECONDS, rule, shell, { async: true }));
  }
  return made;
}

function hook(
  event: string,
  words: string[],
  seconds: number,
  rule: HookRule,
  shell: Shell,
  more: Record<string, Json> = {},
): Wanted {
  const [node, ...args] = words;
  const command: Record<string, Json> =
    rule.shape === "exec groups" ? { command: node!, args } : { command: commandLine(words, shell) };
  const timeout = rule.unit === "seconds" ? seconds : seconds * 1_000;
  const isGroup = rule.shape !== "flat";
  const handler: Json = { ...(isGroup ? { type: "command" } : {}), ...rule.fields, ...command, timeout, ...more };
  return { kind: "hook", path: ["hooks", event], key: null, value: isGroup ? { hooks: [handler] } : handler, words };
}
