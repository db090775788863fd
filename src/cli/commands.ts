import { parseArgs, type ParseArgsConfig } from "node:util";
import { Failure, nearest } from "../errors.ts";

/**
 * Process commands: what `stele` can start besides verbs.
 *
 * A closed list of data, read by help, spelling hints and the entry point.
 */
export interface ProcessCommand {
  readonly name: string;
  readonly usage: string;
  readonly summary: string;
  readonly flags: readonly (readonly [flag: string, description: string])[];
}

export const PROCESS_COMMANDS = [
  {
    name: "init",
    usage: "stele init [HOST] [--remove | --print] [--http] [--project DIR] [--dry-run] [--yes] [--json]",
    summary:
      "Connect Claude Code, Codex or another host: its MCP server and hooks, after showing what would change. Without HOST, it offers those it finds on this machine.",
    flags: [
      ["HOST", "claude-code, codex, cursor, vscode or gemini."],
      ["--remove", "Take out exactly what was added."],
      ["--print", "Print what to write by hand; also for opencode, zed, windsurf, kimi, cline and claude-desktop."],
      ["--http", "Let the host reach the server that `stele serve` runs, instead of starting one of its own."],
      ["--project DIR", "Connect only this project, in its own files; all your projects when omitted."],
      ["--dry-run", "Show what would change, and change nothing."],
      ["--yes", "Do not ask; for scripts."],
      ["--json", "Print exactly one JSON document."],
    ],
  },
  {
    name: "mcp",
    usage: "stele mcp [--tools default|full] [--structured] [--project DIR]",
    summary: "Serve the verbs as MCP tools over standard input and output.",
    flags: [
      [
        "--tools default|full",
        "Which verbs become tools: `default` (everyday ones with everyday fields, the default) or `full` (all).",
      ],
      ["--structured", "Declare output schemas and answer with JSON beside the text; for programs."],
      ["--project DIR", "The project; when omitted, the one the host names, else the current directory."],
    ],
  },
  {
    name: "serve",
    usage: "stele serve [--port N] [--status | --stop] [--json]",
    summary: "Serve the verbs to programs over HTTP on this machine: REST at /v1, MCP at /mcp.",
    flags: [
      ["--port N", "The port; 7835 when omitted, 0 for any that is free."],
      ["--status", "Say where the running server and its token are; exit 1 if there is none."],
      ["--stop", "Stop the running server, once its calls have finished."],
      ["--host ADDRESS", "The address to listen on; 127.0.0.1 when omitted. Another one needs encryption."],
      [
        "--name NAME[:PORT]",
        "Another name by which clients reach it, such as https://stele.example behind a proxy that encrypts; may be repeated.",
      ],
      ["--project DIR", "Serve only this project, and those below it; may be repeated. Any folder when omitted."],
      ["--tls-cert FILE", "The certificate, with --tls-key."],
      ["--tls-key FILE", "The key of the certificate."],
      ["--unencrypted", "Listen beyond this machine without encryption: others on the network can read everything."],
      [
        "--token-file FILE",
        "The file with the token for programs: readable by you alone, or written by root. When omitted, STELE_TOKEN_FILE or a file that the server makes.",
      ],
      ["--headers", "Print the header that carries the token, as JSON; for hosts that ask a command for it."],
      ["--home DIR", "The data folder, for hosts that start it without STELE_HOME."],
      ["--tools default|full", "Which verbs are MCP tools, as for `stele mcp`."],
      ["--structured", "MCP answers carry JSON beside the text."],
      ["--json", "Print JSON documents."],
    ],
  },
  {
    name: "open",
    usage: "stele open [--print] [--project DIR] [--port N]",
    summary: "Open the page in a browser: look through what is remembered, correct it, and ratify proposals.",
    flags: [
      ["--print", "Print the address instead; it works once, within a minute."],
      ["--project DIR", "The project to show; the current directory when omitted."],
      ["--port N", "The port, if no server runs yet: then this command serves until Ctrl-C."],
    ],
  },
  {
    name: "hook",
    usage: "stele hook [EVENT|digest] [--host claude-code|codex|cursor|vscode|gemini|kimi] [--home DIR]",
    summary:
      "Record what a host reports on standard input; hosts run it as a hook. At the start of a session, with a prompt and after a tool that failed it prints " +
      "what the session should know, otherwise nothing. It never fails.",
    flags: [
      ["EVENT", "The event, spelt as the host spells it; when omitted, the one that the input names."],
      [
        "digest",
        "Take in what was recorded, for at most 20 seconds; for a hook that runs in the background after a turn.",
      ],
      ["--host NAME", "The host; when omitted, or if another host runs the same hook, recognised from the input."],
      ["--home DIR", "The data folder, for hosts that start hooks without STELE_HOME."],
    ],
  },
  {
    name: "doctor",
    usage: "stele doctor [--recover [--yes]] [--json] [--project DIR]",
    summary: "Check program, files, settings, stores and backups; repair them with --recover.",
    flags: [
      [
        "--recover",
        "Restore damaged stores from their newest sound backup, make files private, remove leftovers of dead processes.",
      ],
      ["--yes", "Do not ask before restoring a damaged store; the damaged file is kept in any case."],
      ["--json", "Print exactly one JSON document."],
      ["--project DIR", "The project whose settings to check; the current directory when omitted."],
    ],
  },
  {
    name: "encrypt",
    usage:
      "stele encrypt [--key-file FILE | --keyring | --passphrase | --passphrase-stdin] [--sheet] [--dry-run] [--yes] [--json]",
    summary: "Encrypt all stores and backups of the data folder, after saying what that means.",
    flags: [
      ["--key-file FILE", "Keep the key in this file; in one outside the data folder when omitted."],
      ["--keyring", "Keep the key in the system's keyring instead."],
      ["--passphrase", "Encrypt the key with a passphrase instead; `stele unlock` then lets servers and hooks work."],
      ["--passphrase-stdin", "The same with a passphrase from standard input."],
      ["--sheet", "Print a recovery sheet: the key, shown once and stored nowhere."],
      ["--dry-run", "Say what would happen, and change nothing."],
      ["--yes", "Do not ask; for scripts."],
      ["--json", "Print exactly one JSON document."],
    ],
  },
  {
    name: "decrypt",
    usage: "stele decrypt [--from-sheet] [--dry-run] [--yes] [--json]",
    summary: "Decrypt all stores and backups: they are plain text again.",
    flags: [
      ["--from-sheet", "Take the key from the recovery sheet, which is asked for."],
      ["--passphrase-stdin", "Read the passphrase from standard input."],
      ["--dry-run", "Say what would happen, and change nothing."],
      ["--yes", "Do not ask; for scripts."],
      ["--json", "Print exactly one JSON document."],
    ],
  },
  {
    name: "rekey",
    usage:
      "stele rekey [--key-file FILE | --keyring | --passphrase] [--from-sheet] [--sheet] [--dry-run] [--yes] [--json]",
    summary: "Encrypt everything with a new key, kept in the same way as the old one unless you say otherwise.",
    flags: [
      ["--key-file FILE", "Keep the new key in this file."],
      ["--keyring", "Keep the new key in the system's keyring."],
      ["--passphrase", "Encrypt the new key with a passphrase."],
      [
        "--from-sheet",
        "Take the old key from the recovery sheet, which is asked for; the new one goes into a file unless you say otherwise.",
      ],
      [
        "--passphrase-stdin",
        "Read passphrases from standard input: the old one on the first line, the new one on the second.",
      ],
      ["--sheet", "Print a recovery sheet of the new key."],
      ["--dry-run", "Say what would happen, and change nothing."],
      ["--yes", "Do not ask; for scripts."],
      ["--json", "Print exactly one JSON document."],
    ],
  },
  {
    name: "unlock",
    usage: "stele unlock [--passphrase-stdin]",
    summary:
      "Ask for the passphrase of an encrypted memory, and hold its key for servers, hooks and commands until Ctrl-C.",
    flags: [["--passphrase-stdin", "Read the passphrase from standard input."]],
  },
  {
    name: "team",
    usage:
      "stele team [status | init | join | push | pull | leave] [--name NAME] [--user USER] [--project DIR] [--dry-run] [--yes] [--json]",
    summary: "Share this project's memory with a team, on a Postgres server of your own that your settings name.",
    flags: [
      ["status", "Say whether the project is shared, your role, and how the server answers."],
      ["init", "Set up the project and its roles on the server; for whoever manages it. Run it again after an update."],
      ["join", "Use the memory that the team has of this repository."],
      ["push", "Send what this machine remembers of the project, and share the project."],
      ["pull", "Copy the team's memory of the project to this machine."],
      ["leave", "Stop using the team's memory and go on with this machine's own."],
      ["--name NAME", "The project's name on the server; found by the repository, or its folder, when omitted."],
      ["--user USER", "Connect as this user of the database, with the password in STELE_TEAM_PASSWORD."],
      ["--project DIR", "The project; the current directory when omitted."],
      ["--dry-run", "Say what would happen, and change nothing."],
      ["--yes", "Do not ask; for scripts."],
      ["--json", "Print exactly one JSON document."],
    ],
  },
  {
    name: "completion",
    usage: "stele completion bash|zsh|fish",
    summary: "Print the script that lets a shell complete verbs, flags, handles, tags and subjects.",
    flags: [
      ["bash", 'Add `eval "$(stele completion bash)"` to ~/.bashrc.'],
      ["zsh", 'Add `eval "$(stele completion zsh)"` to ~/.zshrc, after compinit.'],
      ["fish", "Run `stele completion fish > ~/.config/fish/completions/stele.fish`."],
    ],
  },
  {
    name: "demo",
    usage: "stele demo [--page [--print] [--port N]]",
    summary: "Show what Stele does, in a throwaway project.",
    flags: [
      ["--page", "Open the page with three made-up weeks of a project, until Ctrl-C."],
      ["--print", "Print the page's address instead of opening it."],
      ["--port N", "The port of the page; any that is free when omitted."],
    ],
  },
] as const satisfies readonly ProcessCommand[];

/** The flags of a process command. A mistake is reported in the words that verbs use, not in those of Node's parser. */
type Options = NonNullable<ParseArgsConfig["options"]>;

interface Terms<O extends Options, P extends boolean> {
  options: O;
  /** Whether it takes words besides flags. */
  allowPositionals?: P;
}

export function commandFlags<const O extends Options, const P extends boolean = false>(
  command: string,
  argv: readonly string[],
  { options, allowPositionals }: Terms<O, P>,
) {
  const args = [...argv];
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  for (const token of tokens) {
    const fault = token.kind === "option" ? faultOf(token, options) : null;
    if (fault !== null) throw mistake(command, ...fault);
    if (token.kind === "positional" && !allowPositionals)
      throw mistake(command, `${command} does not take the argument "${token.value}".`);
  }
  return parseArgs<{ args: string[]; options: O; allowPositionals: P }>({
    args,
    options,
    allowPositionals: (allowPositionals ?? false) as P,
  });
}

interface OptionToken {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

function faultOf(
  { name, rawName, value, inlineValue }: OptionToken,
  options: Options,
): [message: string, hint?: string | undefined] | null {
  if (!Object.hasOwn(options, name)) {
    const close = nearest(name, Object.keys(options));
    return [`There is no flag ${rawName} here.`, close === null ? undefined : `Did you mean --${close}?`];
  }
  if (options[name]!.type === "boolean") return value === undefined ? null : [`${rawName} takes no value.`];
  if (value === undefined) return [`${rawName} needs a value.`];
  const isFlagLike = inlineValue !== true && value.startsWith("-") && value.length > 1;
  return isFlagLike ? [`${rawName} needs a value.`, `If ${value} is the value, write ${rawName}=${value}.`] : null;
}

const mistake = (command: string, message: string, hint = `See \`stele ${command} --help\`.`) =>
  new Failure("invalid_input", message, hint);
