/**
 * A process that puts one question to the system's keyring and ends.
 *
 * The library blocks its caller while it connects, for as long as the keyring does not answer, and a thread that is blocked
 * cannot be ended. A process can.
 */
import type { KeyringAnswer, KeyringQuestion } from "./keyring-protocol.ts";

/** What a person sees beside the entry. */
const SERVICE = "stele";
/** Otherwise the library would fall back to the kernel's keyring, which forgets at the next restart. */
const LASTING = { linux: { store: "secret-service" } } as const;

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
    return { fault: code === "ERR_MODULE_NOT_FOUND" ? "its library is not installed" : why.replace(/\.$/, "") };
  }
}

// A keyring that still asks its person for a password would keep this process after its owner is gone.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.once("message", async (question: KeyringQuestion) => {
  const answer = await answerTo(question);
  process.send!(answer, undefined, undefined, () => process.disconnect());
});
