/**
 * A pack, read in ranges through its index: a pack of any size costs what is wanted of it.
 *
 * Where an object begins comes from the index; most are deltas, which change another object of the same pack.
 */
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { inflated, OBJECT_BYTES, openFile, type RangeFile, type Recent, recent } from "./bounded-reads.ts";

type ObjectType = "commit" | "tree";

interface Pack {
  /** Where an object begins; null if this pack does not have it. */
  find(id: Buffer): number | null;
  read(at: number, type: ObjectType): Buffer;
  close(): void;
}

/** As git writes them, where deltas are 6 and 7. */
const TYPES: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2 };
const [OFFSET_DELTA, NAMED_DELTA] = [6, 7];
/** What git itself allows. */
const DELTAS_DEEPEST = 4_095;
/** Of an index, so much is read at once. */
const BLOCK_BYTES = 65_536;
const FANOUT_AT = 8;
const NAMES_AT = FANOUT_AT + 1_024;

function openPack(path: string, hashBytes: number, kept: Recent): Pack {
  const index = openIndex(`${path}.idx`, hashBytes, kept);
  let opened: RangeFile | null = null;
  const pack = (): RangeFile => {
    opened ??= openFile(`${path}.pack`);
    if (opened === null) throw new Error("a pack is missing");
    return opened;
  };

  function entryAt(at: number): Entry {
    if (at >= pack().bytes) throw new Error("a pack is damaged");
    const { type, size, next, back, base } = headOf(
      pack().range(at, Math.min(pack().bytes - at, 32 + hashBytes)),
      hashBytes,
    );
    if (size > OBJECT_BYTES) throw new Error("an object is too large");
    if (back !== null && (back === 0 || back > at)) throw new Error("a delta is damaged");
    const place = base === null ? back && at - back : index.find(base);
    if (base !== null && place === null) throw new Error("a pack lacks the base of a delta");
    return { type, size, start: at + next, base: place };
  }

  function content({ start, size }: Entry): Buffer {
    // What does not shrink becomes a little larger when compressed.
    const longest = Math.min(size + (size >>> 3) + 128, pack().bytes - start);
    const bytes = inflated(pack().range(start, Math.max(0, longest)), size);
    if (bytes.length !== size) throw new Error("an object is damaged");
    return bytes;
  }

  return {
    find: index.find,
    read(at, type) {
      const keyOf = (place: number) => `${path} ${type} ${place}`;
      const deltas: { at: number; entry: Entry }[] = [];
      let found: Buffer | undefined;
      for (let place = at; (found = kept.get(keyOf(place))) === undefined; ) {
        const entry = entryAt(place);
        if (entry.base === null) {
          if (entry.type !== TYPES[type]) throw new Error("an object is of another type");
          found = kept.add(keyOf(place), content(entry));
          break;
        }
        // Named bases may form a ring.
        if (deltas.push({ at: place, entry }) > DELTAS_DEEPEST) throw new Error("an object has too many deltas");
        place = entry.base;
      }
      for (const delta of deltas.reverse()) found = kept.add(keyOf(delta.at), changed(found, content(delta.entry)));
      return found;
    },
    close() {
      index.close();
      opened?.close();
    },
  };
}

interface Entry {
  type: number;
  /** When inflated. */
  size: number;
  start: number;
  /** Where the object is that a delta changes. */
  base: number | null;
}

/** The beginning of an object: its type, its size, and of a delta how far back its base is, or its name. */
function headOf(head: Buffer, hashBytes: number) {
  let next = 0;
  const byte = () => head[next++] ?? 0;
  let one = byte();
  const type = (one >> 4) & 7;
  let size = one & 15;
  for (let unit = 16; one & 128; unit *= 128) size += ((one = byte()) & 127) * unit;
  let back: number | null = null;
  let base: Buffer | null = null;
  if (type === OFFSET_DELTA) {
    back = (one = byte()) & 127;
    while (one & 128) back = (back + 1) * 128 + ((one = byte()) & 127);
  } else if (type === NAMED_DELTA) base = head.subarray(next, (next += hashBytes));
  return { type, size, next, back, base };
}

function openIndex(path: string, hashBytes: number, kept: Recent): Pick<Pack, "find" | "close"> {
  const index = openFile(path);
  if (index === null) throw new Error("a pack has no index");
  let fanout: Buffer;
  try {
    fanout = index.range(0, NAMES_AT);
    if (fanout.readUInt32BE(0) !== 0xff744f63 || fanout.readUInt32BE(4) !== 2)
      throw new Error("a pack's index is not of version 2");
  } catch (thrown) {
    index.close();
    throw thrown;
  }
  const upTo = (byte: number) => (byte < 0 ? 0 : fanout.readUInt32BE(FANOUT_AT + byte * 4));
  const total = upTo(255);
  /** Names of one block stay, because a walk comes back to it. */
  function names(from: number, to: number): Buffer {
    const key = `${path} ${from}-${to}`;
    return kept.get(key) ?? kept.add(key, index!.range(NAMES_AT + from * hashBytes, (to - from) * hashBytes));
  }

  function find(id: Buffer): number | null {
    let [low, high] = [upTo(id[0]! - 1), upTo(id[0]!)];
    if (low > high || high > total) throw new Error("a pack's index is damaged");
    while ((high - low) * hashBytes > BLOCK_BYTES) {
      const middle = (low + high) >>> 1;
      if (names(middle, middle + 1).compare(id) > 0) high = middle;
      else low = middle;
    }
    const block = names(low, high);
    for (let from = 0, to = high - low; from < to; ) {
      const middle = (from + to) >>> 1;
      const order = block.compare(id, 0, hashBytes, middle * hashBytes, (middle + 1) * hashBytes);
      if (order === 0) return offsetOf(low + middle);
      if (order < 0) from = middle + 1;
      else to = middle;
    }
    return null;
  }

  function offsetOf(entry: number): number {
    const offsets = NAMES_AT + total * (hashBytes + 4);
    const short = index!.range(offsets + entry * 4, 4).readUInt32BE();
    if (short < 0x80000000) return short;
    return Number(index!.range(offsets + total * 4 + (short - 0x80000000) * 8, 8).readBigUInt64BE());
  }

  return { find, close: () => index.close() };
}

/** Applies a delta: parts of its base, and bytes of its own. */
function changed(base: Buffer, delta: Buffer): Buffer {
  let next = 0;
  const byte = (): number => {
    if (next >= delta.length) throw new Error("a delta is damaged");
    return delta[next++]!;
  };
  const size = (): number => {
    let [value, unit, one] = [0, 1, 0];
    do value += ((one = byte()) & 127) * unit;
    while (((unit *= 128), one & 128));
    return value;
  };
  const [from, to] = [size(), size()];
  if (from !== base.length || to > OBJECT_BYTES) throw new Error("a delta is damaged");
  const result = Buffer.alloc(to);
  let filled = 0;
  while (next < delta.length) {
    const order = byte();
    let [source, start, length] = [delta, next, order];
    if (order & 128) {
      [source, start, length] = [base, 0, 0];
      for (let bit = 0; bit < 4; bit += 1) if (order & (1 << bit)) start += byte() * 256 ** bit;
      for (let bit = 0; bit < 3; bit += 1) if (order & (16 << bit)) length += byte() * 256 ** bit;
      length ||= 65_536;
    } else next += length;
    if (length === 0 || start + length > source.length || filled + length > to) throw new Error("a delta is damaged");
    filled += source.copy(result, filled, start, start + length);
  }
  if (filled !== to) throw new Error("a delta is damaged");
  return result;
}

/**
 * Reads commits and trees from a repository's loose objects and packs. Git itself is never run.
 *
 * Everything here is untrusted: sizes, depths and offsets are limited, links are not followed, and whatever does not
 * fit throws.
 */
export interface Objects {
  /** Null if it is not there; throws if it is there but cannot be read. */
  read(id: string, type: ObjectType): Buffer | null;
  close(): void;
}

const KEPT_BYTES = 24_000_000;
const PACKS_MOST = 200;

export function openObjects(folder: string, hashBytes: number): Objects {
  const kept = recent(KEPT_BYTES);
  const packs: Pack[] = [];
  const close = () => packs.splice(0).forEach((pack) => pack.close());
  try {
    needFolder(folder);
    for (const path of packsIn(join(folder, "pack"))) packs.push(openPack(path, hashBytes, kept));
  } catch (thrown) {
    close();
    throw thrown;
  }
  return {
    close,
    read(id, type) {
      for (const [index, pack] of packs.entries()) {
        const at = pack.find(Buffer.from(id, "hex"));
        if (at === null) continue;
        // What is near in history lies in the same pack.
        if (index > 0) packs.unshift(...packs.splice(index, 1));
        return pack.read(at, type);
      }
      return readLoose(folder, id, type);
    },
  };
}

/** A link could lead to another project's objects. */
function needFolder(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isDirectory()) throw new Error("its objects are in another place");
  return found !== undefined;
}

/** The newest first, without their endings. */
function packsIn(folder: string): string[] {
  if (!needFolder(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith(".idx"));
  if (names.length > PACKS_MOST) throw new Error(`it has more than ${PACKS_MOST} packs`);
  return names
    .map((name) => ({ path: join(folder, name.slice(0, -".idx".length)), at: lstatSync(join(folder, name)).mtimeMs }))
    .sort((one, two) => two.at - one.at)
    .map(({ path }) => path);
}

function readLoose(folder: string, id: string, type: ObjectType): Buffer | null {
  const parent = join(folder, id.slice(0, 2));
  const file = needFolder(parent) ? openFile(join(parent, id.slice(2))) : null;
  if (file === null) return null;
  try {
    if (file.bytes > OBJECT_BYTES) throw new Error("an object is too large");
    const whole = inflated(file.range(0, file.bytes), OBJECT_BYTES);
    const end = whole.subarray(0, 32).indexOf(0);
    if (whole.toString("latin1", 0, end) !== `${type} ${whole.length - end - 1}`)
      throw new Error("an object is damaged");
    return whole.subarray(end + 1);
  } finally {
    file.close();
  }
}
