/**
 * What a host writes to a hook's standard input: one JSON document.
 *
 * A host need not close it: a complete document ends it, and so does a second of silence. Too much is read and dropped,
 * because a host that cannot write might fail. A stream takes longer to set up than a hook has, so that pipes are read
 * directly; such a read cannot be given up, see `leaveOpen`.
 */
import { fstatSync, read, readFileSync } from "node:fs";

const SILENCE_MS = 1_000;
const INPUT_BYTES = 32 * 1_048_576;
const CHUNK_BYTES = 65_536;

export interface HookInput {
  /** Null if it is too large. */
  text: string | null;
  /** The host has not closed it, and the system still waits for more. */
  isOpen: boolean;
}

export async function readInput(): Promise<HookInput> {
  const found = fstatSync(0);
  if (found.isFile()) {
    return { text: found.size > INPUT_BYTES ? null : readFileSync(0, "utf8"), isOpen: false };
  }
  if ((found.isFIFO() || found.isSocket()) && process.execve !== undefined) return readDirectly();
  // A person at a terminal has nothing to report.
  return process.stdin.isTTY ? { text: "", isOpen: false } : readStream();
}

/** Ends the process although a read waits for input: an ordinary exit would wait for it too. */
export function leaveOpen(environment: Readonly<Record<string, string | undefined>>): void {
  const { execPath } = process;
  process.execve?.(execPath, [execPath, "-e", "0"], { ...environment });
}

function readDirectly(): Promise<HookInput> {
  const received = createReceiver();
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  return new Promise((resolve, reject) => {
    const finish = (isOpen: boolean) => {
      clearTimeout(silence);
      resolve({ text: received.text(), isOpen });
    };
    const silence = setTimeout(() => finish(true), SILENCE_MS);
    const more = () =>
      read(0, buffer, 0, CHUNK_BYTES, null, (fault, count) => {
        if (fault?.code === "EAGAIN") {
          clearTimeout(silence);
          return void readStream(received).then(resolve, reject);
        }
        if (fault || count === 0) return finish(false);
        received.add(Buffer.from(buffer.subarray(0, count)));
        if (received.isComplete()) return finish(false);
        silence.refresh();
        more();
      });
    more();
  });
}

function readStream(received = createReceiver()): Promise<HookInput> {
  return new Promise((resolve) => {
    const finish = () => resolve({ text: received.text(), isOpen: false });
    const silence = setTimeout(finish, SILENCE_MS);
    process.stdin.on("data", (chunk: Buffer) => {
      silence.refresh();
      received.add(chunk);
      if (received.isComplete()) finish();
    });
    for (const event of ["end", "error", "close"] as const) process.stdin.on(event, finish);
  });
}

interface Receiver {
  add(chunk: Buffer): void;
  isComplete(): boolean;
  text(): string | null;
}

function createReceiver(): Receiver {
  const chunks: Buffer[] = [];
  let bytes = 0;
  return {
    add(chunk) {
      bytes += chunk.length;
      if (bytes <= INPUT_BYTES) chunks.push(chunk);
    },
    isComplete: () => bytes <= INPUT_BYTES && endsObject(chunks.at(-1)) && isJson(Buffer.concat(chunks).toString()),
    text: () => (bytes > INPUT_BYTES ? null : Buffer.concat(chunks).toString()),
  };
}

/** Parsing is tried only where it may succeed: a long input comes in many parts. */
const endsObject = (chunk: Buffer | undefined): boolean =>
  /\}\s{0,9}$/.test(chunk?.subarray(-10).toString("latin1") ?? "");

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
