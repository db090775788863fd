/**
 * Where the processes of one user meet: a private folder with a note that says where a model is offered.
 *
 * Only the holder of the lock writes the note. Every socket has a name of its own, so nobody ever removes a living one:
 * an owner removes its own, and the next owner what a killed one left behind. The note names socket and key together.
 */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { claimPrivateFolder, ownUser, type User } from "../../files/private-folder.ts";

/** The shortest limit of the systems we run on is 104, with a closing zero. */
const LONGEST_SOCKET_PATH_BYTES = 100;
const LARGEST_NOTE_BYTES = 4_096;
const KEY_BYTES = 32;
const OTHERS = 0o077;
const SOCKET_NAME = /^model-[0-9a-f]{16}\.sock$/;

export interface Offer {
  readonly socket: string;
  readonly key: Buffer;
}

export interface MeetingPlace {
  /** The offer in force; null if there is none, or none that can be trusted. Its owner may be gone. */
  read(): Offer | null;
  /** The file whose lock makes one process the owner; null if this is no private place. */
  lockFile(): string | null;
  /** A new offer, not yet published; null if no socket can be made here. Only for the holder of the lock. */
  prepare(): Offer | null;
  publish(offer: Offer): void;
  /** Removes the offer, however far it came. */
  withdraw(offer: Offer): void;
}

export interface MeetingPlaceOptions {
  readonly home: string;
  /** A folder with a short path, for sockets of a home with a long one. */
  readonly runtimeFolder: string;
  readonly user?: User | null;
}

export function createMeetingPlace({ home, runtimeFolder, user = ownUser() }: MeetingPlaceOptions): MeetingPlace {
  const folder = join(home, "run");
  const note = join(folder, "model.json");

  function read(): Offer | null {
    // Nearly always missing, when no server runs: the rest is then not looked at.
    if (!existsSync(note) || claimPrivateFolder(folder, user) === null) return null;
    const offer = readNote(note, user);
    return offer !== null && isOurSocket(offer.socket, user) ? offer : null;
  }

  /** What a killed owner left. Nobody else can own anything here, because the lock is ours. */
  function clear(): void {
    const left = existsSync(note) ? readNote(note, user) : null;
    if (left !== null && isOurSocket(left.socket, user)) rmSync(left.socket, { force: true });
    for (const name of readdirSync(folder))
      if (SOCKET_NAME.test(name) || name.startsWith("model.json")) rmSync(join(folder, name), { force: true });
  }

  return {
    read,
    lockFile: () => (claimPrivateFolder(folder, user) === null ? null : join(folder, "model.lock")),
    prepare() {
      clear();
      const socket = socketPath(folder, runtimeFolder, user);
      return socket === null ? null : { socket, key: randomBytes(KEY_BYTES) };
    },
    publish({ socket, key }) {
      const temporary = `${note}.tmp`;
      writeFileSync(temporary, JSON.stringify({ socket, key: key.toString("hex") }), { mode: 0o600, flag: "wx" });
      renameSync(temporary, note);
    },
    withdraw({ socket }) {
      if (!isPipe(socket)) rmSync(socket, { force: true });
      // Another note is the next owner's.
      if (existsSync(note) && readNote(note, user)?.socket === socket) rmSync(note, { force: true });
    },
  };
}

function socketPath(folder: string, runtimeFolder: string, user: User | null): string | null {
  const random = randomBytes(8).toString("hex");
  if (user === null) return `\\\\.\\pipe\\stele-model-${random}`;
  for (const candidate of [folder, runtimeFolder]) {
    const path = join(candidate, `model-${random}.sock`);
    if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH_BYTES && claimPrivateFolder(candidate, user) !== null)
      return path;
  }
  return null;
}

const isPipe = (socket: string) => socket.startsWith("\\\\.\\pipe\\stele-model-");

/** A pipe has an unguessable name; a socket must be ours, in a folder that only we can write to. */
function isOurSocket(path: string, user: User | null): boolean {
  if (user === null) return isPipe(path);
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSocket() === true && found.uid === user.uid && claimPrivateFolder(dirname(path), user) !== null;
}

function readNote(path: string, user: User | null): Offer | null {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
    const found = fstatSync(file);
    const isOurs = user === null || (found.uid === user.uid && (found.mode & OTHERS) === 0);
    if (!found.isFile() || !isOurs || found.size > LARGEST_NOTE_BYTES) return null;
    return toOffer(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    // Gone meanwhile, or not a note of ours: as good as none.
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

function toOffer(said: unknown): Offer | null {
  const { socket, key } = (said ?? {}) as Partial<Record<string, unknown>>;
  if (typeof socket !== "string" || typeof key !== "string" || !/^[0-9a-f]{64}$/.test(key)) return null;
  return { socket, key: Buffer.from(key, "hex") };
}
