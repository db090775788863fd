/**
 * When recording was paused in a project, by a person or because they only read what a team shares: the mark that hooks
 * look for holds the beginning, a list the past pauses.
 *
 * Transcripts tell what was said meanwhile, so whoever reads one must know.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pause } from "../../ports/spool.ts";
import { PAUSED, READER, isMarked } from "./spool-folder.ts";

const LIST = "pauses";
/** Of more, the oldest are forgotten: their sessions are read long ago. */
const PAUSES_MOST = 1_000;

type Mark = typeof PAUSED | typeof READER;

export function beginPause(folder: string, at: number, mark: Mark = PAUSED): void {
  if (!isMarked(folder, mark)) writeFileSync(join(folder, mark), `${at}\n`, { mode: 0o600 });
}

export function endPause(folder: string, at: number, mark: Mark = PAUSED): void {
  const from = begunAt(folder, mark);
  if (from === null) return;
  const lines = [...pastPauses(folder), { from, to: at }].slice(-PAUSES_MOST).map((one) => `${one.from} ${one.to}\n`);
  const draft = join(folder, `${LIST}.tmp`);
  // The list is written first: between the two, what was said is left out twice, never taken in.
  writeFileSync(draft, lines.join(""), { mode: 0o600 });
  renameSync(draft, join(folder, LIST));
  rmSync(join(folder, mark), { force: true });
}

export function pausesIn(folder: string): Pause[] {
  const begun = [begunAt(folder, PAUSED), begunAt(folder, READER)].filter((from) => from !== null);
  return [...pastPauses(folder), ...begun.map((from) => ({ from, to: null }))];
}

/** A mark without a time counts from when it was made. */
function begunAt(folder: string, mark: Mark): number | null {
  const path = join(folder, mark);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return Number(readFileSync(path, "utf8")) || Math.floor(found.mtimeMs);
}

function pastPauses(folder: string): Pause[] {
  const path = join(folder, LIST);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return [];
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line) => {
      const [from = NaN, to = NaN] = line.split(" ").map(Number);
      return from <= to ? [{ from, to }] : [];
    });
}
