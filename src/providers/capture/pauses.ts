/**
 * When recording was paused in a project: the mark that hooks look for holds the beginning, a list the past pauses.
 *
 * Transcripts tell what was said meanwhile, so whoever reads one must know.
 */
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Pause } from "../../ports/spool.ts";
import { PAUSED, isMarked } from "./spool-folder.ts";

const LIST = "pauses";
/** Of more, the oldest are forgotten: their sessions are read long ago. */
const PAUSES_MOST = 1_000;

export function beginPause(folder: string, at: number): void {
  if (!isMarked(folder, PAUSED)) writeFileSync(join(folder, PAUSED), `${at}\n`, { mode: 0o600 });
}

export function endPause(folder: string, at: number): void {
  const from = begunAt(folder);
  if (from === null) return;
  const lines = [...pastPauses(folder), { from, to: at }].slice(-PAUSES_MOST).map((one) => `${one.from} ${one.to}\n`);
  const draft = join(folder, `${LIST}.tmp`);
  // The list is written first: between the two, what was said is left out twice, never taken in.
  writeFileSync(draft, lines.join(""), { mode: 0o600 });
  renameSync(draft, join(folder, LIST));
  rmSync(join(folder, PAUSED), { force: true });
}

export function pausesIn(folder: string): Pause[] {
  const from = begunAt(folder);
  return [...pastPauses(folder), ...(from === null ? [] : [{ from, to: null }])];
}

/** A mark without a time counts from when it was made. */
function begunAt(folder: string): number | null {
  const path = join(folder, PAUSED);
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
