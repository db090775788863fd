/**
 * What a host writes to a hook's standard input: one JSON document.
 *
 * A host need not close it: a complete document ends it, and so do a second of silence, two seconds in all, or too much
 * of it. A stream takes longer to set up than a hook has, so that pipes are read directly; such a read cannot be given
 * up, see `leaveOpen`.
 */
import { fstatSync, read, readFileSync } from "node:fs";

/** After a short pause, what has come may be all. */
const PAUSE_MS = 50;
const SILENCE_MS = 1_000;
const DEADLINE_MS = 2_000;
const INPUT_BYTES = 32 * 1_048_576;
const CHUNK_BYTES = 65_536;

interface HookInput {
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
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  return new Promise((resolve, reject) => {
    const received = createReceiver(() => resolve({ text: received.text(), isOpen: true }));
    const finish = () => {
      received.stop();
      resolve({ text: received.text(), isOpen: false });
    };
    const more = () =>
      read(0, buffer, 0, CHUNK_BYTES, null, (fault, count) => {
        if (fault?.code === "EAGAIN") {
          received.stop();
          return void readStream(received.chunks()).then(resolve, reject);
        }
        if (fault || count === 0 || received.add(Buffer.from(buffer.subarray(0, count)))) finish();
        else if (!received.isStopped()) more();
      });
    more();
  });
}

function readStream(before: readonly Buffer[] = []): Promise<HookInput> {
  return new Promise((resolve) => {
    const finish = () => {
      received.stop();
      process.stdin.pause();
      resolve({ text: received.text(), isOpen: false });
    };
    const received = createReceiver(finish);
    for (const chunk of before) received.add(chunk);
    process.stdin.on("data", (chunk: Buffer) => {
      if (received.add(chunk)) finish();
    });
    for (const event of ["end", "error", "close"] as const) process.stdin.on(event, finish);
  });
}

interface Receiver {
  /** Whether nothing more is wanted: the document is complete or too large. */
  add(chunk: Buffer): boolean;
  chunks(): readonly Buffer[];
  text(): string | null;
  stop(): void;
  isStopped(): boolean;
}

/** `giveUp` is called when nothing more is waited for. */
function createReceiver(giveUp: () => void): Receiver {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let bytesTried = 0;
  let isStopped = false;
  const stop = () => {
    isStopped = true;
    for (const timer of timers) clearTimeout(timer);
  };
  const end = () => {
    stop();
    giveUp();
  };
  const isComplete = () => {
    if (bytes === bytesTried || !endsObject(chunks.at(-1))) return false;
    bytesTried = bytes;
    return isJson(Buffer.concat(chunks).toString());
  };
  const pause = setTimeout(() => isComplete() && end(), PAUSE_MS);
  const silence = setTimeout(end, SILENCE_MS);
  const timers = [pause, silence, setTimeout(end, DEADLINE_MS)];
  return {
    add(chunk) {
      if (isStopped) return false;
      bytes += chunk.length;
      if (bytes > INPUT_BYTES) return true;
      chunks.push(chunk);
      pause.refresh();
      silence.refresh();
      // Tried again only once it has doubled: trying after every part of a long input would take long.
      return bytes >= 2 * bytesTried && isComplete();
    },
    chunks: () => chunks,
    text: () => (bytes > INPUT_BYTES ? null : Buffer.concat(chunks).toString()),
    stop,
    isStopped: () => isStopped,
  };
}

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
