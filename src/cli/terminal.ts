/**
 * Terminal: everything the command line prints and reads.
 *
 * A reader that closes early (`stele list | head`) is not an error. Stored text is not
 * trusted, so its control characters never reach the screen.
 */
import type { Readable, Writable } from "node:stream";
import { styleText } from "node:util";
import { Failure, FAILURES } from "../errors.ts";
import { visible } from "../text/paragraph.ts";

export interface Io {
  readonly stdout: Pick<Writable, "on" | "write"> & Screen;
  readonly stderr: Writable & Screen;
  readonly stdin: Readable & { isTTY?: boolean; isRaw?: boolean; setRawMode?(mode: boolean): unknown };
}

/** What a stream knows about the terminal it writes to. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  getColorDepth?(): number;
}

export interface Terminal {
  text(text: string): Promise<void>;
  /** Text of our own making that may have colours; everything from others in it is visible already. */
  laidOut(text: string): Promise<void>;
  document(value: unknown): Promise<void>;
  /** A unified diff, coloured if standard output shows colours. */
  diff(text: string): Promise<void>;
  /** Prints the failure and returns its exit code. */
  failure(failure: Failure): Promise<number>;
}

const STDIN_LIMIT_BYTES = 4 * 1024 * 1024;

export function terminal(io: Io, { json }: { json: boolean }): Terminal {
  let answered = false;

  async function document(value: unknown): Promise<void> {
    answered = true;
    await write(io.stdout, `${harmless(JSON.stringify(value, binaryAsLength))}\n`);
  }

  return {
    document,
    async text(text) {
      answered = true;
      const shown = visible(text);
      await write(io.stdout, shown === "" || shown.endsWith("\n") ? shown : `${shown}\n`);
    },
    async laidOut(text) {
      answered = true;
      await write(io.stdout, `${text}\n`);
    },
    async diff(text) {
      await write(io.stdout, `${visible(text).split("\n").map(painted).join("\n")}\n`);
    },
    async failure(failure) {
      if (json && !answered) {
        await document(failure);
      } else {
        const name = styleText("red", "stele:", { stream: io.stderr, validateStream: true });
        const text = await wrappedFor(io.stderr, `${NAME}${visible(failure.message)}\n${visible(failure.hint)}`);
        await write(io.stderr, `${name}${text.slice(NAME.length - 1)}\n`);
      }
      return FAILURES[failure.code].exit;
    },
  };
}

const NAME = "stele: ";

/** Without codes, so any terminal shows it; a pipe gets it as it is. */
async function wrappedFor({ isTTY, columns }: Io["stderr"], text: string): Promise<string> {
  if (!isTTY || !columns) return text;
  const { layOutText } = await import("./layout.ts");
  return layOutText(text, { columns, colours: false });
}

const PAINTS = { "+": "green", "-": "red", "@": "cyan" } as const;

function painted(line: string): string {
  const paint = /^(?:---|\+\+\+) /.test(line) ? "bold" : PAINTS[line[0] as keyof typeof PAINTS];
  return paint === undefined ? line : styleText(paint, line, { stream: process.stdout, validateStream: true });
}

export async function readAll(stdin: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stdin) {
    const buffer = typeof chunk === "string" ? Buffer.from(chunk) : (chunk as Buffer);
    bytes += buffer.length;
    if (bytes > STDIN_LIMIT_BYTES) {
      throw new Failure("invalid_input", "Standard input is longer than 4 MB.", "Split the text and send it in parts.");
    }
    chunks.push(buffer);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, "");
  } catch (cause) {
    throw new Failure("invalid_input", "Standard input is not UTF-8 text.", "Send plain text.", { cause });
  }
}

const tolerated = new WeakSet<object>();

function write(stream: Io["stdout"], text: string): Promise<void> {
  if (!tolerated.has(stream)) tolerateClosing(stream);
  // The callback also runs when the reader has closed; there is nobody left to report to.
  return new Promise((resolve) => stream.write(text, () => resolve()));
}

function tolerateClosing(stream: Io["stdout"]): void {
  tolerated.add(stream);
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED") return;
    const message = `The output cannot be written (${error.code ?? error.message}).`;
    throw new Failure("unavailable", message, "The command itself has ended; only its answer is missing.");
  });
}

/** The same JSON with characters escaped that turn the direction or show nothing. */
const harmless = (json: string): string =>
  json.replace(
    /[\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\udb40-\udb43]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

function binaryAsLength(_key: string, value: unknown): unknown {
  return ArrayBuffer.isView(value) ? { length: (value as Uint8Array).length } : value;
}

/**
 * Ctrl-C: it abandons the verb, but not while another program has the terminal.
 *
 * A terminal sends it to every program in the foreground, and editors have a use of their own for it. Once it has
 * abandoned the verb, another one ends the process without waiting for an orderly close.
 */
interface Signals {
  on(signal: "SIGINT", listener: () => void): unknown;
  off(signal: "SIGINT", listener: () => void): unknown;
}

interface Interruption {
  readonly interrupted: Promise<null>;
  /** Runs work during which Ctrl-C is not ours. */
  ignoredDuring<T>(work: () => Promise<T>): Promise<T>;
}

export function interruption(signals: Signals): Interruption {
  let isIgnored = false;
  const interrupted = new Promise<null>((resolve) => {
    function onInterrupt(): void {
      if (isIgnored) return;
      signals.off("SIGINT", onInterrupt);
      resolve(null);
    }
    signals.on("SIGINT", onInterrupt);
  });
  return {
    interrupted,
    async ignoredDuring(work) {
      isIgnored = true;
      try {
        return await work();
      } finally {
        isIgnored = false;
      }
    },
  };
}
