/**
 * A process that puts one question to the system's keyring and ends.
 *
 * The library blocks its caller while it connects, for as long as the keyring does not answer, and a thread that is blocked
 * cannot be ended. A process can, also by itself: this file is its thread too, so that the process notices when its owner is gone.
 */
import { Worker, isMainThread, parentPort, workerData } from "node:worker_threads";
import type { KeyringAnswer, KeyringQuestion } from "./keyring-protocol.ts";

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

function askInThread(): void {
  // A keyring that still asks its person for a password would keep this process after its owner is gone.
  process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
  process.once("message", (question: KeyringQuestion) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: question });
    thread.once("message", (answer: KeyringAnswer) =>
      process.send!(answer, undefined, undefined, () => process.disconnect()),
    );
  });
}

if (isMainThread) askInThread();
else void answerTo(workerData as KeyringQuestion).then((answer) => parentPort!.postMessage(answer));
