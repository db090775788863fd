/** `stele serve`: starts the server of the data folder, says where it is, or stops it. A second start finds the first. */
import { setTimeout as delay } from "node:timers/promises";
import { startServer } from "../../app/compose-serve.ts";
import { nameHome, tokenFileIn } from "../../app/environment.ts";
import { usableHome } from "../../app/store-folder.ts";
import { Failure } from "../../errors.ts";
import { type ServeFlags, serveFlags } from "../../http/serve-flags.ts";
import { askServer, hasServed, type ServeNote, type ServePlace, servePlace } from "../../http/serve-place.ts";
import { lockFile } from "../../store/sqlite/file-lock.ts";
import { type Io, type Terminal, terminal } from "../terminal.ts";

const STOPPED_MS = 15_000;
const STARTED_MS = 5_000;
const LOOKED_AGAIN_MS = 50;

export async function run(argv: readonly string[], io: Io): Promise<number> {
  const flags = serveFlags(argv);
  if (flags.home !== undefined) nameHome(flags.home);
  const [home, screen] = [usableHome(), terminal(io, { json: flags.json })];
  const say: Say = (text, document) => (flags.json ? screen.document(document) : screen.text(text));
  const isAsking = flags.stop || flags.headers || flags.status;
  // Only a start makes the place.
  const place = isAsking && !hasServed(home) ? null : servePlace(home);
  if (flags.stop) return stop(place, say);
  if (flags.headers) return headers(place, flags, screen);
  const serving = flags.status || place === null ? null : await startServer(place, flags);
  if (serving === null) return status(place, say);
  const { url, tokenFile } = serving.note;
  await say(`Serving at ${url}\nThe token is in ${tokenFile}. Ctrl-C stops it.`, shown(serving.note));
  await serving.ended;
  return 0;
}

/** For a host that asks a command what to send; the token must not be written into its configuration. */
async function headers(place: ServePlace | null, { tokenFile }: ServeFlags, screen: Terminal): Promise<number> {
  // While ours does not run, somebody else may listen at its address.
  if (place === null || (await running(place)) === null) {
    throw new Failure("unavailable", "No server is running.", "`stele serve` starts one.");
  }
  const { token } = place.token(tokenFile ?? tokenFileIn(), null);
  await screen.document({ Authorization: `Bearer ${token}` });
  return 0;
}

type Say = (text: string, document: object) => Promise<void>;

/** The key is nobody's business. */
const shown = ({ key: _, ...note }: ServeNote) => ({ status: "serving", ...note });

/** Says where the server is; exit 1 if there is none. */
async function status(place: ServePlace | null, say: Say): Promise<number> {
  const note = place && (await running(place));
  if (note === null) {
    await say("No server is running. `stele serve` starts one.", { status: "stopped" });
    return 1;
  }
  const { url, pid, tokenFile } = note;
  await say(`Serving at ${url} (process ${pid})\nThe token is in ${tokenFile}.`, shown(note));
  return 0;
}

async function stop(place: ServePlace | null, say: Say): Promise<number> {
  const note = place && (await running(place));
  if (place === null || note === null) {
    await say("No server is running.", { status: "stopped" });
    return 0;
  }
  await askServer(note, "POST", "stop");
  for (let waited = 0; waited < STOPPED_MS; waited += LOOKED_AGAIN_MS) {
    if (!isRunning(place)) {
      await say("Stopped.", { status: "stopped" });
      return 0;
    }
    await delay(LOOKED_AGAIN_MS);
  }
  const hint = "It may still be finishing a call; end it by its number.";
  throw new Failure("unavailable", `Process ${note.pid} has not stopped yet.`, hint);
}

/** The note of the server that runs; null if none does. */
export async function running(place: ServePlace): Promise<ServeNote | null> {
  for (let waited = 0; isRunning(place); waited += LOOKED_AGAIN_MS) {
    const note = place.read();
    if (note !== null) {
      await askServer(note, "GET", "health");
      return note;
    }
    // It has the lock, but does not listen yet, or no longer.
    if (waited >= STARTED_MS) {
      throw new Failure("unavailable", "The server is starting or stopping.", "Try again in a moment.");
    }
    await delay(LOOKED_AGAIN_MS);
  }
  return null;
}

function isRunning(place: ServePlace): boolean {
  const lock = lockFile(place.lockFile);
  lock?.release();
  return lock === null;
}
