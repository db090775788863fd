/**
 * Listens for changes that anybody makes, in this process or another, and says when there is one.
 *
 * The stream is lines of JSON with a revision. A connection that ends is opened again, more and more slowly.
 */
import { type Connection, send } from "./api.ts";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

export interface ChangeListener {
  changed(): void;
  /** Whether the server is being heard. */
  isHeard(heard: boolean): void;
}

export function listenForChanges(
  connection: Pick<Connection, "token" | "fetch" | "project">,
  { changed, isHeard }: ChangeListener,
): { stop(): void } {
  const stopping = new AbortController();
  let [known, waitMs, isLost] = ["", FIRST_WAIT_MS, false];
  const tell = (line: string) => {
    const revision = revisionIn(line);
    if (revision === null) return;
    waitMs = FIRST_WAIT_MS;
    isHeard(true);
    // What was asked for while nobody answered has failed.
    if (known !== "" && (revision !== known || isLost)) changed();
    [known, isLost] = [revision, false];
  };
  const listen = async () => {
    while (!stopping.signal.aborted) {
      try {
        const headers = { "stele-project": encodeURIComponent(connection.project) };
        const response = await send("/v1/changes", { headers, signal: stopping.signal }, connection);
        if (response.ok && response.body !== null) await readLines(response.body, tell);
      } catch (thrown) {
        if (!stopping.signal.aborted) console.debug(thrown);
      }
      if (stopping.signal.aborted) return;
      isLost = true;
      isHeard(false);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2);
    }
  };
  void listen();
  return { stop: () => stopping.abort() };
}

async function readLines(body: ReadableStream<Uint8Array>, tell: (line: string) => void): Promise<void> {
  const [reader, decoder] = [body.getReader(), new TextDecoder()];
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) tell(line);
  }
}

function revisionIn(line: string): string | null {
  if (line === "") return null;
  const { revision } = JSON.parse(line) as { revision?: unknown };
  return typeof revision === "string" ? revision : null;
}
