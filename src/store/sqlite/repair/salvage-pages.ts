/**
 * Reads as much of a database file as possible, page by page, without SQLite.
 *
 * SQLite reaches a row only through the tree from its root, and gives up at a bad page. But a
 * leaf holds complete rows, so every page is read on its own, with the pages of the log taking
 * precedence. Unparsable cells give no row. Nothing is ever written.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { isThere } from "../connection/data-file.ts";

/** One row of a table, by column. */
export type Row = Record<string, Value>;
export type Value = null | number | string | Buffer;

export interface Cell {
  rowid: number;
  values: Value[];
}

export interface Pages {
  readonly count: number;
  /** Null when the file ends before it. */
  page(number: number): Page | null;
  close(): void;
}

export interface Page {
  kind: "table leaf" | "table branch" | "index" | "other";
  bytes: Buffer;
  /** Page 1 begins with the header of the file. */
  start: number;
}

const KINDS: Record<number, Page["kind"]> = { 0x0d: "table leaf", 0x05: "table branch", 0x0a: "index", 0x02: "index" };
const MAGIC = "SQLite format 3\0";
const HEADER_BYTES = 100;
const USUAL_PAGE_BYTES = 4_096;
const LONGEST_RECORD_BYTES = 64_000_000;

export function openPages(path: string): Pages {
  const file = openSync(path, "r");
  const size = fstatSync(file).size;
  const header = Buffer.alloc(HEADER_BYTES);
  readSync(file, header, 0, HEADER_BYTES, 0);
  const log = isThere(`${path}-wal`) ? readLog(`${path}-wal`) : null;
  const pageBytes = pageBytesIn(header) ?? log?.pageBytes ?? USUAL_PAGE_BYTES;
  const later = log?.pageBytes === pageBytes ? log.pages : new Map<number, Buffer>();
  return {
    count: [...later.keys()].reduce((most, number) => Math.max(most, number), Math.floor(size / pageBytes)),
    page(number) {
      const bytes = later.get(number) ?? Buffer.alloc(pageBytes);
      const isRead = later.has(number) || readSync(file, bytes, 0, pageBytes, (number - 1) * pageBytes) === pageBytes;
      const start = number === 1 ? HEADER_BYTES : 0;
      return isRead ? { kind: KINDS[bytes[start]!] ?? "other", bytes, start } : null;
    },
    close: () => closeSync(file),
  };
}

function pageBytesIn(header: Buffer): number | null {
  const bytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const isSize = bytes >= 512 && (bytes & (bytes - 1)) === 0;
  return isSize && header.toString("latin1", 0, 16) === MAGIC ? bytes : null;
}

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;

/** The latest committed version of each page. Like SQLite, it stops at the first frame with a wrong checksum. */
function readLog(path: string): { pageBytes: number; pages: Map<number, Buffer> } | null {
  const log = readFileSync(path);
  if (log.length < LOG_HEADER_BYTES || log.readUInt32BE(0) >>> 1 !== 0x377f0682 >>> 1) return null;
  const isBigEndian = (log.readUInt32BE(0) & 1) === 1;
  const pageBytes = log.readUInt32BE(8);
  let sums: Sums = addUp(log.subarray(0, 24), [0, 0], isBigEndian);
  if (!matches(sums, log, 24) || pageBytes < 512) return null;
  const [pages, pending] = [new Map<number, Buffer>(), new Map<number, Buffer>()];
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  for (let at = LOG_HEADER_BYTES; at + frameBytes <= log.length; at += frameBytes) {
    const page = log.subarray(at + FRAME_HEADER_BYTES, at + frameBytes);
    sums = addUp(page, addUp(log.subarray(at, at + 8), sums, isBigEndian), isBigEndian);
    const isOfThisLog = log.subarray(at + 8, at + 16).equals(log.subarray(16, 24));
    if (!isOfThisLog || !matches(sums, log, at + 16)) break;
    pending.set(log.readUInt32BE(at), page);
    if (log.readUInt32BE(at + 4) === 0) continue;
    for (const [number, committed] of pending) pages.set(number, committed);
    pending.clear();
  }
  return { pageBytes, pages };
}

type Sums = [number, number];

function addUp(bytes: Buffer, [first, second]: Sums, isBigEndian: boolean): Sums {
  const word = (at: number) => (isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at));
  for (let at = 0; at + 8 <= bytes.length; at += 8) {
    first = (first + word(at) + second) >>> 0;
    second = (second + word(at + 4) + first) >>> 0;
  }
  return [first, second];
}

const matches = ([first, second]: Sums, log: Buffer, at: number): boolean =>
  log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;

/** Pages no longer in use; rows still on them were deleted. */
export function freePages(pages: Pages): Set<number> {
  const free = new Set<number>();
  const header = pages.page(1)?.bytes;
  if (!header || pageBytesIn(header) === null) return free;
  for (let trunk = header.readUInt32BE(32); trunk > 0 && trunk <= pages.count && !free.has(trunk); ) {
    free.add(trunk);
    const bytes = pages.page(trunk)?.bytes;
    if (!bytes) break;
    const leaves = Math.min(bytes.readUInt32BE(4), bytes.length / 4 - 2);
    for (let leaf = 0; leaf < leaves; leaf += 1) free.add(bytes.readUInt32BE(8 + leaf * 4));
    trunk = bytes.readUInt32BE(0);
  }
  return free;
}

/** The pages below a branch of a table. */
export function childrenOf({ bytes, start }: Page): number[] {
  const children = [bytes.readUInt32BE(start + 8)];
  for (const at of cellsAt(bytes, start, 12)) children.push(bytes.readUInt32BE(at));
  return children;
}

/** The rows on a page, those that can be read. */
export function rowsOn(page: Page, pages: Pages): Cell[] {
  const { kind, bytes, start } = page;
  if (kind !== "table leaf" && kind !== "index") return [];
  const isBranch = bytes[start] === 0x02;
  return cellsAt(bytes, start, isBranch ? 12 : 8).flatMap((at) => {
    try {
      return [readCell(bytes, isBranch ? at + 4 : at, kind === "index", pages)];
    } catch (thrown) {
      // A cell that exceeds its page is no row.
      if (thrown instanceof RangeError || thrown instanceof TypeError) return [];
      throw thrown;
    }
  });
}

function cellsAt(bytes: Buffer, start: number, headerBytes: number): number[] {
  const first = start + headerBytes;
  const count = Math.min(bytes.readUInt16BE(start + 3), Math.floor((bytes.length - first) / 2));
  const places = Array.from({ length: count }, (_, index) => bytes.readUInt16BE(first + index * 2));
  return places.filter((at) => at >= first + count * 2 && at + 4 <= bytes.length);
}

function readCell(bytes: Buffer, at: number, isIndex: boolean, pages: Pages): Cell {
  const reader = { bytes, at };
  const length = varint(reader);
  const rowid = isIndex ? 0 : varint(reader);
  if (length > LONGEST_RECORD_BYTES) throw new RangeError("no record is that long");
  return { rowid, values: readRecord(payload(reader, length, isIndex, pages)) };
}

interface Reader {
  bytes: Buffer;
  at: number;
}

/** Seven bits per byte, at most nine bytes; our tables hold no integers beyond JavaScript's safe range. */
function varint(reader: Reader): number {
  let value = 0;
  for (let count = 0; count < 8; count += 1) {
    const byte = reader.bytes.readUInt8(reader.at++);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return value;
  }
  return value * 256 + reader.bytes.readUInt8(reader.at++);
}

/** A long record starts on its page and continues along a chain of overflow pages. */
function payload({ bytes, at }: Reader, length: number, isIndex: boolean, pages: Pages): Buffer {
  const usable = bytes.length;
  const most = isIndex ? Math.floor(((usable - 12) * 64) / 255) - 23 : usable - 35;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  const here = length <= most ? length : fitting <= most ? fitting : least;
  if (at + here > usable) throw new RangeError("the record exceeds its page");
  const parts = [bytes.subarray(at, at + here)];
  let next = here < length ? bytes.readUInt32BE(at + here) : 0;
  for (let left = length - here; left > 0; left -= usable - 4) {
    const page = pages.page(next);
    if (next < 2 || !page) throw new RangeError("the record ends early");
    parts.push(page.bytes.subarray(4, 4 + Math.min(left, usable - 4)));
    next = page.bytes.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

const text = new TextDecoder("utf-8", { fatal: true });

function readRecord(record: Buffer): Value[] {
  const header = { bytes: record, at: 0 };
  const headerBytes = varint(header);
  let at = headerBytes;
  const values: Value[] = [];
  while (header.at < headerBytes) {
    const type = varint(header);
    const bytes = record.subarray(at, (at += lengthOf(type)));
    if (at > record.length) throw new RangeError("the record is too short");
    values.push(readValue(type, bytes));
  }
  if (at !== record.length) throw new RangeError("the record is too long");
  return values;
}

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8];

function lengthOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return type === 7 ? 8 : (INTEGER_BYTES[type] ?? 0);
}

function readValue(type: number, bytes: Buffer): Value {
  if (type === 0) return null;
  if (type === 6) return Number(bytes.readBigInt64BE());
  if (type === 7) return bytes.readDoubleBE();
  if (type < 6) return bytes.readIntBE(0, bytes.length);
  if (type < 12) return type === 8 ? 0 : 1;
  return type % 2 === 0 ? Buffer.from(bytes) : text.decode(bytes);
}
