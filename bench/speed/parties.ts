/** Controls the parties from the run: starts, fills, asks and ends them. */
import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { watched } from "./children.ts";
import type { Way } from "./party.ts";
import type { Filled, Replies, Request } from "./party-process.ts";
import type { PartyName } from "./result.ts";

const PROCESS = fileURLToPath(new URL("party-process.ts", import.meta.url));
/** Enough for an in-memory peer at the largest size. */
const HEAP = "--max-old-space-size=8192";

type ReplyTo<Asked extends Request> = Replies[Asked["do"]];

export interface Worker {
  who: PartyName;
  ways: readonly Way[];
  filled: Filled;
  ask<Asked extends Request>(request: Asked): Promise<ReplyTo<Asked>>;
  end(): Promise<void>;
}

/** Null when the party is not installed. */
export async function startWorker(
  who: PartyName,
  { folder, size, limitMs }: { folder: string; size: number; limitMs: number | null },
): Promise<Worker | null> {
  mkdirSync(folder, { recursive: true });
  const child = watched(fork(PROCESS, [], { execArgv: [HEAP], stdio: ["ignore", "ignore", "inherit", "ipc"] }));
  const ask = <Asked extends Request>(request: Asked) => exchange<ReplyTo<Asked>>(child, request);
  const end = async () => {
    if (child.connected) await ask({ do: "close" }).finally(() => child.connected && child.disconnect());
  };
  try {
    const ways = await ask({ do: "open", who, folder });
    if (ways) return { who, ways, filled: await ask({ do: "fill", size, limitMs }), ask, end };
  } catch (thrown) {
    child.kill();
    throw thrown;
  }
  await end();
  return null;
}

function exchange<Reply>(child: ChildProcess, request: Request): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const gone = (code: number | null, signal: string | null) =>
      reject(new Error(`The process ended during "${request.do}" (${signal ?? code}).`));
    child.once("exit", gone);
    child.once("message", (answer: { reply: Reply } | { error: string }) => {
      child.removeListener("exit", gone);
      if ("error" in answer) reject(new Error(answer.error));
      else resolve(answer.reply);
    });
    child.send(request);
  });
}
