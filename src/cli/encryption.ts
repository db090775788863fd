/**
 * `stele encrypt`, `decrypt`, `rekey` and `unlock`.
 *
 * Nothing is changed before a person has read what will happen and agreed, or `--yes` was given. A passphrase is typed unseen, or
 * comes on standard input; it is never an argument, which others could read.
 */
import { resolve } from "node:path";
import type { ParseArgsConfig } from "node:util";
import type { Beforehand, Changed, Intent, KeyChoice } from "../encryption/encrypting.ts";
import type { KeptKey } from "../encryption/record.ts";
import type { StoreKey } from "../encryption/store-key.ts";
import { Failure, toFailure } from "../errors.ts";
import { commandFlags } from "./commands.ts";
import { canHide, hiddenLine, promptAt } from "./prompt.ts";
import { type Io, readAll, type Terminal, terminal } from "./terminal.ts";

type Ask = () => Promise<string | null>;

/** The data folder, as these commands see it. */
export interface Encryption {
  /** Null if the memory is not encrypted. */
  readonly keyId: string | null;
  readonly kept: KeptKey["kind"] | null;
  /** The key in force; null if there is none. */
  key(ask?: Ask): Promise<StoreKey | null>;
  /** The key on a recovery sheet; fails if it is wrong or another one. */
  keyFrom(sheet: string): StoreKey;
  sheet(key: StoreKey): string[];
  /** Fails if a passphrase would be easy to guess. */
  refuseShort(passphrase: string): void;
  beforehand(key: StoreKey | null): Promise<Beforehand>;
  /** What a person should know before they agree. */
  explain(intent: Intent, before: Beforehand, choice: KeyChoice | null): string[];
  /** What was done. */
  report(intent: Intent, changed: Changed): string[];
  change(from: StoreKey | null, choice: KeyChoice | null, onFile?: (path: string) => void): Promise<Changed>;
  /** Removes what an interrupted command left behind. */
  removeLeft(): Promise<void>;
  hold(key: StoreKey): Promise<{ isHolder(): boolean; release(): Promise<void> }>;
}

interface EncryptionOptions {
  io: Io;
  /** Whether a person, not a program, is at the terminal. */
  attended: boolean;
  open(): Encryption;
  /** Resolves when the person stops the command. */
  stopped?(): Promise<void>;
}

interface Flags {
  keyFile: string | null;
  keyring: boolean;
  passphrase: boolean;
  fromStdin: boolean;
  fromSheet: boolean;
  sheet: boolean;
  dryRun: boolean;
  yes: boolean;
  json: boolean;
}

export async function runEncryption(
  intent: Intent,
  argv: readonly string[],
  options: EncryptionOptions,
): Promise<number> {
  const screen = terminal(options.io, { json: argv.includes("--json") });
  try {
    return await change(intent, flagsOf(intent, argv), options, screen);
  } catch (thrown) {
    return await screen.failure(toFailure(thrown));
  }
}

async function change(intent: Intent, flags: Flags, options: EncryptionOptions, screen: Terminal): Promise<number> {
  const encryption = options.open();
  if (await isDone(intent, encryption, flags, screen)) return 0;
  const lines = linesOf(options.io, flags);
  const key = await formerKey(encryption, flags, lines, options);
  const before = await encryption.beforehand(key);
  const choice = intent === "decrypt" ? null : await choiceOf(flags, lines, { ...options, ...encryption });
  const explained = encryption.explain(intent, before, choice);
  if (flags.dryRun) {
    await (flags.json ? screen.document({ status: "planned", ...before }) : screen.text(explained.join("\n")));
    return 0;
  }
  if (!flags.yes && !(await agrees(intent, explained, options))) {
    throw new Failure("refused", "Nothing was changed.", "Run it again when you are ready, or add --yes.");
  }
  // What it means is said even to whoever agreed in advance.
  if (flags.yes && !flags.json) options.io.stderr.write(`${explained.join("\n")}\n`);
  const changed = await encryption.change(key, choice);
  const sheet = changed.key && (await wantsSheet(flags, options)) ? encryption.sheet(changed.key) : [];
  await tell(intent, changed, { sheet, json: flags.json, report: encryption.report }, screen);
  return 0;
}

/** Repeating a command finishes what an interrupted one left, and is no mistake. */
async function isDone(intent: Intent, encryption: Encryption, flags: Flags, screen: Terminal): Promise<boolean> {
  const isEncrypted = encryption.keyId !== null;
  if (intent === "rekey" && !isEncrypted) {
    throw new Failure("conflict", "The memory is not encrypted.", "`stele encrypt` encrypts it.");
  }
  if (intent === "rekey" || isEncrypted !== (intent === "encrypt")) return false;
  if (!flags.dryRun) await encryption.removeLeft();
  const said = isEncrypted ? "The memory is encrypted already." : "The memory is not encrypted.";
  await (flags.json ? screen.document({ status: "unchanged", keyId: encryption.keyId }) : screen.text(said));
  return true;
}

async function formerKey(
  encryption: Encryption,
  { fromSheet }: Flags,
  lines: Lines,
  options: EncryptionOptions,
): Promise<StoreKey | null> {
  if (encryption.keyId === null) return null;
  if (!fromSheet) return encryption.key(passphraseAsker(options, "Passphrase: ", lines));
  const typed = await lines.next("The recovery sheet, in one line: ");
  return encryption.keyFrom(typed ?? "");
}

async function choiceOf(
  flags: Flags,
  lines: Lines,
  options: EncryptionOptions & Pick<Encryption, "refuseShort" | "kept">,
): Promise<KeyChoice> {
  const { refuseShort, kept } = options;
  const kind = kindOf(flags, kept);
  if (kind === "keyring") return { kind };
  if (kind === "file") return { kind, path: flags.keyFile };
  if (flags.dryRun) return { kind: "passphrase", passphrase: "" };
  const ask = passphraseAsker(options, "New passphrase: ", lines);
  const first = (await ask?.()) ?? null;
  if (first === null) {
    throw new Failure("invalid_input", "No passphrase was given.", "Type it at a terminal, or use --passphrase-stdin.");
  }
  refuseShort(first);
  if (!lines.isPiped && (await hiddenLine(options.io, "Again: ")) !== first) {
    throw new Failure("invalid_input", "The two differ.", "Try again.");
  }
  return { kind: "passphrase", passphrase: first };
}

/** A new key is kept like the former one, unless that one was lost. */
function kindOf({ keyFile, keyring, passphrase, fromSheet }: Flags, kept: Encryption["kept"]): KeyChoice["kind"] {
  if (keyring) return "keyring";
  if (passphrase) return "passphrase";
  return keyFile !== null || fromSheet ? "file" : (kept ?? "file");
}

/** Undefined if nobody can be asked. */
function passphraseAsker({ io, attended }: EncryptionOptions, prompt: string, lines: Lines): Ask | undefined {
  if (lines.isPiped) return () => lines.next(prompt);
  return attended && canHide(io) ? () => hiddenLine(io, prompt) : undefined;
}

interface Lines {
  /** Whether passphrases come on standard input. */
  isPiped: boolean;
  /** The next line; null if there is none. */
  next(prompt: string): Promise<string | null>;
}

/** Standard input is read at once, and handed out line by line: the former secret first, then the new one. */
function linesOf(io: Io, { fromStdin, fromSheet }: Flags): Lines {
  const isPiped = fromStdin || (fromSheet && !io.stdin.isTTY);
  let waiting: string[] | null = null;
  return {
    isPiped,
    async next(prompt) {
      if (!isPiped) return canHide(io) ? hiddenLine(io, prompt) : null;
      waiting ??= (await readAll(io.stdin)).split(/\r?\n/);
      return waiting.shift() ?? null;
    },
  };
}

async function agrees(intent: Intent, explained: string[], options: EncryptionOptions): Promise<boolean> {
  const ask = promptAt(options.io, options);
  if (!ask) throw new Failure("refused", "This needs confirmation.", "Add --yes to confirm in advance.");
  const label = { encrypt: "Encrypt now?", decrypt: "Decrypt now?", rekey: "Change the key now?" }[intent];
  const reply = await ask({ message: explained.join("\n"), fields: { agreed: { kind: "confirm", label } } });
  return reply.action === "accept" && reply.values["agreed"] === true;
}

async function wantsSheet({ sheet, yes, json }: Flags, options: EncryptionOptions): Promise<boolean> {
  const ask = promptAt(options.io, options);
  if (sheet || yes || json || !ask) return sheet;
  const message = "A recovery sheet is the key, to be written down or printed. It is shown once and stored nowhere.";
  const reply = await ask({ message, fields: { agreed: { kind: "confirm", label: "Show it now?" } } });
  return reply.action === "accept" && reply.values["agreed"] === true;
}

async function tell(
  intent: Intent,
  changed: Changed,
  { sheet, json, report }: { sheet: string[]; json: boolean; report: Encryption["report"] },
  screen: Terminal,
): Promise<void> {
  if (!json) return screen.text([...report(intent, changed), ...(sheet.length === 0 ? [] : ["", ...sheet])].join("\n"));
  const status = { encrypt: "encrypted", decrypt: "decrypted", rekey: "rekeyed" }[intent];
  const { key, ...others } = changed;
  const said = { status, keyId: key?.id ?? null, ...others };
  return screen.document(sheet.length > 0 ? { ...said, sheet } : said);
}

/** `stele unlock`: asks for the passphrase and holds the key for all other processes, until it is stopped. */
export async function runUnlock(argv: readonly string[], options: EncryptionOptions): Promise<number> {
  const screen = terminal(options.io, { json: false });
  try {
    const { values } = commandFlags("unlock", argv, { options: { "passphrase-stdin": FLAG } });
    const encryption = options.open();
    if (encryption.kept !== "passphrase") {
      await screen.text("Nothing to unlock: the memory is not encrypted with a passphrase.");
      return 0;
    }
    const fromStdin = values["passphrase-stdin"] === true;
    const lines = linesOf(options.io, { ...NO_FLAGS, fromStdin });
    const key = await encryption.key(passphraseAsker(options, "Passphrase: ", lines));
    const holding = await encryption.hold(key!);
    const role = holding.isHolder()
      ? "This process holds the key"
      : "Another process holds the key already; this one takes over";
    await screen.text(`Unlocked. ${role} until you press Ctrl-C.`);
    await options.stopped?.();
    await holding.release();
    return 0;
  } catch (thrown) {
    return await screen.failure(toFailure(thrown));
  }
}

const FLAG = { type: "boolean", default: false } as const;
const NO_FLAGS: Flags = {
  keyFile: null,
  keyring: false,
  passphrase: false,
  fromStdin: false,
  fromSheet: false,
  sheet: false,
  dryRun: false,
  yes: false,
  json: false,
};

type Options = NonNullable<ParseArgsConfig["options"]>;

const KEPT: Options = { "key-file": { type: "string" }, keyring: FLAG, passphrase: FLAG, sheet: FLAG };

function flagsOf(intent: Intent, argv: readonly string[]): Flags {
  const ends: Options = { "dry-run": FLAG, yes: FLAG, json: FLAG, "passphrase-stdin": FLAG };
  const former: Options = intent === "encrypt" ? {} : { "from-sheet": FLAG };
  const next: Options = intent === "decrypt" ? {} : KEPT;
  const { values } = commandFlags(intent, argv, { options: { ...ends, ...former, ...next } });
  const is = (name: string) => values[name] === true;
  const keyFile = typeof values["key-file"] === "string" ? resolve(values["key-file"]) : null;
  // There is no former key, so it can only be the new one.
  const passphrase = is("passphrase") || (intent === "encrypt" && is("passphrase-stdin"));
  if ([passphrase, is("keyring"), keyFile !== null].filter(Boolean).length > 1) {
    throw new Failure("invalid_input", "--key-file, --keyring and --passphrase exclude each other.", "Choose one.");
  }
  return {
    keyFile,
    keyring: is("keyring"),
    passphrase,
    fromStdin: is("passphrase-stdin"),
    fromSheet: is("from-sheet"),
    sheet: is("sheet"),
    dryRun: is("dry-run"),
    yes: is("yes"),
    json: is("json"),
  };
}
