/**
 * Where the processes of one user meet: a private folder with a note that says where something is offered: a model, or the key of
 * an encrypted memory.
 *
 * Only the holder of the lock writes the note. Every socket has a name of its own, so nobody ever removes a living one:
 * an owner removes its own, and the next owner what a killed one left behind. The note names socket and key together.
 */
import { randomBytes } from "node:crypto";
import { existsSync, lstatSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { claimPrivateFolder, ownUser, readPrivate, type User, writePrivate } from "../../machine/private-files.ts";

/** The shortest limit of the systems we run on is 104, with a closing zero. */
const LONGEST_SOCKET_PATH_BYTES = 100;
const KEY_BYTES = 32;

type Offered = "model" | "key";

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
  /** What is offered here; a model unless told otherwise. */
  readonly what?: Offered;
  readonly home: string;
  /** A folder with a short path, for sockets of a home with a long one. */
  readonly runtimeFolder: string;
  readonly user?: User | null;
}

export function createMeetingPlace(options: MeetingPlaceOptions): MeetingPlace {
  const { home, runtimeFolder, what = "model", user = ownUser() } = options;
  const folder = join(home, "run");
  const note = join(folder, `${what}.json`);
  const socketName = new RegExp(`^${what}-[0-9a-f]{16}\\.sock$`);

  function read(): Offer | null {
    // Nearly always missing, when no server runs: the rest is then not looked at.
    if (!existsSync(note) || claimPrivateFolder(folder, user) === null) return null;
    const offer = readNote(note, user);
    return offer !== null && isOurSocket(offer.socket, what, user) ? offer : null;
  }

  /** What a killed owner left. Nobody else can own anything here, because the lock is ours. */
  function clear(): void {
    const left = existsSync(note) ? readNote(note, user) : null;
    if (left !== null && isOurSocket(left.socket, what, user)) rmSync(left.socket, { force: true });
    for (const name of readdirSync(folder))
      if (socketName.test(name) || name.startsWith(`${what}.json`)) rmSync(join(folder, name), { force: true });
  }

  return {
    read,
    lockFile: () => (claimPrivateFolder(folder, user) === null ? null : join(folder, `${what}.lock`)),
    prepare() {
      clear();
      const socket = socketPath(what, [folder, runtimeFolder], user);
      return socket === null ? null : { socket, key: randomBytes(KEY_BYTES) };
    },
    publish({ socket, key }) {
      writePrivate(note, JSON.stringify({ socket, key: key.toString("hex") }));
    },
    withdraw({ socket }) {
      if (!isPipe(socket, what)) rmSync(socket, { force: true });
      // Another note is the next owner's.
      if (existsSync(note) && readNote(note, user)?.socket === socket) rmSync(note, { force: true });
    },
  };
}

function socketPath(what: Offered, folders: readonly string[], user: User | null): string | null {
  const random = randomBytes(8).toString("hex");
  if (user === null) return `${pipesOf(what)}${random}`;
  for (const candidate of folders) {
    const path = join(candidate, `${what}-${random}.sock`);
    if (Buffer.byteLength(path) <= LONGEST_SOCKET_PATH_BYTES && claimPrivateFolder(candidate, user) !== null)
      return path;
  }
  return null;
}

const pipesOf = (what: Offered) => `\\\\.\\pipe\\stele-${what}-`;
const isPipe = (socket: string, what: Offered) => socket.startsWith(pipesOf(what));

/** A pipe has an unguessable name; a socket must be ours, in a folder that only we can write to. */
function isOurSocket(path: string, what: Offered, user: User | null): boolean {
  if (user === null) return isPipe(path, what);
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found?.isSocket() === true && found.uid === user.uid && claimPrivateFolder(dirname(path), user) !== null;
}

function readNote(path: string, user: User | null): Offer | null {
  try {
    const text = readPrivate(path, user);
    return text === null ? null : toOffer(JSON.parse(text));
  } catch {
    // Gone meanwhile, or not a note of ours: as good as none.
    return null;
  }
}

function toOffer(said: unknown): Offer | null {
  const { socket, key } = (said ?? {}) as Partial<Record<string, unknown>>;
  if (typeof socket !== "string" || typeof key !== "string" || !/^[0-9a-f]{64}$/.test(key)) return null;
  return { socket, key: Buffer.from(key, "hex") };
}
