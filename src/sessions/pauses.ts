/**
 * When recording was paused in a project, by a person or because they only read what a team shares: the mark that hooks
 * look for holds the beginning, a list the past pauses. Each of the two has a mark and a list of its own.
 *
 * Transcripts tell what was said meanwhile, so whoever reads one must know. Any process may end a pause, so a list is only
 * appended to, and put aside as a whole once it is long.
 */
import { appendFileSync, lstatSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pause } from "../ports.ts";
import { isMarked, PAUSED, READER } from "./inbox-writer.ts";

const LISTS = { [PAUSED]: "pauses", [READER]: "reader-pauses" } as const;
const FORMER = ".old";
/** About 1,100 pauses. A list that is put aside replaces the one before: its sessions are read long ago. */
const LIST_BYTES = 32 * 1_024;
/** Nobody puts a list aside for so long. */
const LOCK_MS = 60_000;

type Mark = keyof typeof LISTS;

export function beginPause(folder: string, at: number, mark: Mark = PAUSED): void {
  if (!isMarked(folder, mark)) createOnce(join(folder, mark), `${at}\n`);
}

export function endPause(folder: string, at: number, mark: Mark = PAUSED): void {
  const from = begunAt(folder, mark);
  if (from === null) return;
  const list = join(folder, LISTS[mark]);
  // The list is written first: between the two, what was said is left out twice, never taken in. A line that a full disk
  // cut short must not spoil this one.
  appendFileSync(list, `\n${from} ${at}`, { mode: 0o600 });
  // Another process may have ended this pause, and somebody begun the next one.
  if (begunAt(folder, mark) === from) rmSync(join(folder, mark), { force: true });
  if (sizeOf(list) > LIST_BYTES) putAside(list);
}

export function pausesIn(folder: string): Pause[] {
  const current = (mark: Mark): Pause[] => {
    const from = begunAt(folder, mark);
    return from === null ? [] : [{ from, to: null }];
  };
  // A mark is looked at before its list: a pause that ends in between is then found twice, never missed.
  const begun = [...current(PAUSED), ...current(READER)];
  const past = Object.values(LISTS).flatMap((list) => pastPauses(join(folder, list)));
  return [...past.sort((one, two) => one.from - two.from), ...begun];
}

/** A mark without a time counts from when it was made. */
function begunAt(folder: string, mark: Mark): number | null {
  const path = join(folder, mark);
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : Number(textOf(path)) || Math.floor(found.mtimeMs);
}

/** The list before its former one: if it is put aside in between, it is read twice. */
function pastPauses(list: string): Pause[] {
  return [textOf(list), textOf(`${list}${FORMER}`)]
    .flatMap((text) => text.split("\n"))
    .flatMap((line) => {
      const [from = NaN, to = NaN] = line.split(" ").map(Number);
      return from <= to ? [{ from, to }] : [];
    });
}

/** Whoever still has the list open writes into the former one, which is read as well. */
function putAside(list: string): void {
  const lock = `${list}.lock`;
  if (!createOnce(lock, "")) {
    const found = lstatSync(lock, { throwIfNoEntry: false });
    if (found !== undefined && Date.now() - found.mtimeMs > LOCK_MS) rmSync(lock, { force: true });
    return;
  }
  try {
    // Another process may have put it aside meanwhile; the new one is short, and must not replace it.
    if (sizeOf(list) > LIST_BYTES) renameSync(list, `${list}${FORMER}`);
  } finally {
    rmSync(lock, { force: true });
  }
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** False if it is there already. */
function createOnce(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: "wx" });
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "EEXIST") throw thrown;
    return false;
  }
}

/** Empty if it is not there. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ENOENT") throw thrown;
    return "";
  }
}
