/** Judges what the data folder takes on its disk, and whether the disk has room for more. */
import type { Finding } from "../../../model/care/finding.ts";
import { megabytes, note, ok, problem, some } from "./findings.ts";

/** What the disk of the data folder still takes. */
export interface Room {
  bytes: number;
  /** Null if the file system does not count files. */
  files: number | null;
}

export interface Part {
  part: string;
  bytes: number;
}

/** Less than this, and a memory may not be stored. */
const FULL_BYTES = 1_000_000;
const LITTLE_BYTES = 100_000_000;
const MAKE_ROOM = "Free some space on it, or move the data folder to another disk and set STELE_HOME to its new place.";

/** `room` is null if the system does not tell. */
export function judgeDisk(parts: readonly Part[], room: Room | null): Finding[] {
  const all = sumOf(parts);
  const shown = some(parts.map(({ part, bytes }) => `${part} ${megabytes(bytes)}`));
  const message = parts.length === 0 ? "Nothing is stored yet." : `${megabytes(all)} in all: ${shown}.`;
  return [ok("disk", message), ...judgeRoom(parts, room)];
}

export function judgeRoom(parts: readonly Part[], room: Room | null): Finding[] {
  if (room === null) return [];
  if (room.files === 0) return [problem("disk", "The disk of the data folder takes no more files.", "Remove some.")];
  const free = `${megabytes(room.bytes)} are free`;
  if (room.bytes < FULL_BYTES) {
    return [problem("disk", `The disk of the data folder is full: ${free}, so nothing can be stored.`, MAKE_ROOM)];
  }
  // A backup copies all stores, and whatever rewrites a store does so as well.
  const stores = sumOf(parts.filter(({ part }) => part !== "backups"));
  if (room.bytes >= Math.max(LITTLE_BYTES, stores)) return [];
  const why = room.bytes < stores ? ", less than a backup takes" : "";
  return [note("disk", `The disk of the data folder is nearly full: ${free}${why}.`, MAKE_ROOM)];
}

const sumOf = (parts: readonly Part[]): number => parts.reduce((sum, { bytes }) => sum + bytes, 0);
