/**
 * The system's keyring: Keychain, Credential Manager, or the Secret Service of a desktop session.
 *
 * It may ask its person for a password first, or never answer. Each question is put by a process of its own, which is ended
 * when it takes too long; nothing of that is loaded unless a key is kept there.
 */
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "../errors.ts";
import type { Keyring } from "../ports.ts";

/** What a process asks its helper about the system's keyring, and what it hears. */
export interface KeyringQuestion {
  ask: "read" | "write" | "remove";
  name: string;
  /** To be written; empty otherwise. */
  text: string;
}

export type KeyringAnswer = { value: string | boolean | null } | { fault: string };

/** Somebody may have to find and type a password. */
const PATIENCE_MS = 60_000;

interface Terms {
  patienceMs?: number;
  env?: NodeJS.ProcessEnv;
}

export function systemKeyring({ patienceMs = PATIENCE_MS, env }: Terms = {}): Keyring {
  const answered = async (question: KeyringQuestion) => {
    const answer = await put(question, { patienceMs, env });
    if (answer === null) throw unusable(`it has not answered for ${Math.ceil(patienceMs / 1_000)} seconds`);
    if ("fault" in answer) throw unusable(answer.fault);
    return answer.value;
  };
  return {
    read: async (name) => (await answered({ ask: "read", name, text: "" })) as string | null,
    write: async (name, text) => void (await answered({ ask: "write", name, text })),
    remove: async (name) => (await answered({ ask: "remove", name, text: "" })) as boolean,
  };
}

const unusable = (why: string) =>
  new Failure("unavailable", `The system's keyring cannot be used here: ${why}.`, "Unlock it, or log in.");

/** Null if there was no answer in time. */
async function put(
  question: KeyringQuestion,
  { patienceMs, env }: { patienceMs: number; env: NodeJS.ProcessEnv | undefined },
): Promise<KeyringAnswer | null> {
  const { fork } = await import("node:child_process");
  // Compiled or not, it is beside this file and has the same extension.
  const path = fileURLToPath(new URL(`./keyring-process${extname(import.meta.url)}`, import.meta.url));
  // By the pipe it notices when this process is gone.
  const stdio = ["pipe", "ignore", "ignore", "ipc"] as const;
  const child = fork(path, [], { execArgv: [], stdio: [...stdio], ...(env && { env }) });
  const end = () => child.kill("SIGKILL");
  process.once("exit", end);
  const patience = Promise.withResolvers<null>();
  const timer = setTimeout(() => patience.resolve(null), patienceMs);
  const heard = new Promise<KeyringAnswer>((resolve) => {
    child.once("message", (answer) => resolve(answer as KeyringAnswer));
    child.once("error", ({ message }) => resolve({ fault: message }));
    // Not "exit", which may come before the message.
    child.once("close", () => resolve({ fault: "the process that asks it ended without an answer" }));
  });
  try {
    child.send(question);
    return await Promise.race([heard, patience.promise]);
  } finally {
    clearTimeout(timer);
    process.off("exit", end);
    end();
  }
}
