/** What a host's configuration should hold, made from the table of hosts for one installation. */
import type {
  ConnectScope,
  Places,
  PrintedHostId,
  Program,
  Shell,
  Wanted,
  WantedFile,
} from "../../model/connect/host.ts";
import type { Json } from "../../model/connect/json.ts";
import { commandLine } from "./command-line.ts";
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
      ...(server === undefined ? [] : [serverEntry(server, command)]),
      ...(hooks === undefined
        ? []
        : hookEntries(hooks, { command, shell, host: host === "claude-code" ? null : host })),
    ],
  }));
}

/** `command`: the words that start Stele. */
export function serverEntry({ under, shape, args }: ServerRule, command: readonly string[]): Wanted {
  const words = [...command, "mcp", ...args];
  const plain = { command: words[0]!, args: words.slice(1) };
  const value: Json =
    shape === "argv"
      ? { type: "local", command: words, enabled: true }
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
}

export function hookEntries(rule: HookRule, setting: Setting): Wanted[] {
  const constants = Object.entries(rule.constants ?? {}).map(
    ([key, value]): Wanted => ({ kind: "constant", path: [], key, value, words: [] }),
  );
  const steps = Object.entries(rule.events) as [Step, string][];
  return [...constants, ...steps.flatMap(([step, event]) => entriesOf(step, event, rule, setting))];
}

function entriesOf(step: Step, event: string, rule: HookRule, { command, shell, host }: Setting): Wanted[] {
  const named = host === null ? [] : ["--host", host];
  const words = [...command, "hook", ...named];
  const seconds = step === "end" ? Math.min(STEPS.end, rule.endSeconds ?? STEPS.end) : STEPS[step];
  const made = [hook(event, words, seconds, rule, shell)];
  // What a session leaves at its end is taken in by the hook that begins the next one: a second one would only compete.
  if (rule.hasBackground && step === "turnEnd") {
    const digest = [...command, "hook", "digest"];
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
