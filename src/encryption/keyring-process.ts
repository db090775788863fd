/**
 * A process that puts one question to the system's keyring and ends.
 *
 * The library blocks its caller while it connects, for as long as the keyring does not answer, and a thread that is blocked
 * cannot be ended. A process can; when its owner is gone, its second thread does it, which this file is too.
 */
import { readSync } from "node:fs";
import { isMainThread, Worker } from "node:worker_threads";
import type { KeyringAnswer, KeyringQuestion } from "./keyring.ts";

/** What a person sees beside the entry. */
const SERVICE = "stele";
/** Otherwise the library would fall back to the kernel's keyring, which forgets at the next restart. */
const LASTING = { linux: { store: "secret-service" } } as const;
/** What `import` calls it, and `require` in the build. */
const MISSING: readonly string[] = ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"];

async function answerTo({ ask, name, text }: KeyringQuestion): Promise<KeyringAnswer> {
  try {
    const { AsyncEntry } = await import("@napi-rs/keyring");
    const entry = new AsyncEntry(SERVICE, name, LASTING);
    if (ask === "read") return { value: await entry.getPassword() };
    if (ask === "remove") return { value: await entry.deleteCredential() };
    await entry.setPassword(text);
    return { value: null };
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException;
    const [why = ""] = message.trim().split("\n");
    return { fault: MISSING.includes(code ?? "") ? "its library is not installed" : why.replace(/\.$/, "") };
  }
}

function answerOwner(): void {
  // Started while the library loads, a thread takes next to no time.
  new Worker(new URL(import.meta.url));
  process.once("disconnect", end);
  process.once("message", async (question: KeyringQuestion) => {
    const answer = await answerTo(question);
    process.send!(answer, undefined, undefined, () => process.disconnect());
  });
}

/** Standard input is a pipe from the owner, who writes nothing: it ends with the owner, even while the keyring asks for a password. */
function endWithOwner(): void {
  try {
    readSync(0, Buffer.alloc(1));
  } catch (thrown) {
    // So Windows calls it. After anything else the main thread notices, once the library lets go of it.
    if ((thrown as NodeJS.ErrnoException).code !== "EOF") return;
  }
  end();
}

const end = () => process.kill(process.pid, "SIGKILL");

if (isMainThread) answerOwner();
else endWithOwner();
