/**
 * Copies the memory of a project from one store to another: an export and an import, without a file in between.
 *
 * What is there already stays as it is, so an interrupted copy is finished by repeating it. What belongs to one machine is
 * left out: files and their index, working memories, and notes and global memories with all that the journal knows of them.
 */
import { Failure } from "../errors.ts";
import type { ChainEntry } from "../journal/journal.ts";
import { type Item, LastingScope } from "../memory/item.ts";
import { type Shelf, SHELVES } from "../memory/shelves.ts";
import type { Files } from "../ports.ts";
import type { Store, WholeItem } from "../store/store.ts";
import type { World } from "../world.ts";
import { exportItems } from "./export.ts";
import { type ImportAnswer, importItems } from "./import.ts";

const COPIED_SHELVES: readonly Shelf[] = SHELVES.filter((shelf) => shelf !== "document" && shelf !== "code");

type CopyWorld = Pick<World, "tokenizer" | "clock" | "log" | "progress" | "files" | "origin">;

interface CopyPlan {
  /** What would be copied, by shelf, and how much of it is there already, in whatever version. */
  shelves: { shelf: Shelf; items: number; known: number }[];
  items: number;
  known: number;
}

const NAME = "project.jsonl";
const PAGE_ITEMS = 500;

export async function copyProject(from: Store, to: Store, world: CopyWorld): Promise<ImportAnswer> {
  const files = inMemory(world.files);
  const source = withoutOwn(from);
  const request = {
    path: NAME,
    split: false,
    overwrite: false,
    scopes: [LastingScope.enum.project],
    shelves: COPIED_SHELVES,
  };
  await exportItems({ ...request, journal: true, access: true }, { ...world, project: source, global: source, files });
  // A person has agreed to all of it.
  return importItems({ path: NAME }, { ...world, project: to, global: to, files }, () => ({
    decisions: true,
    replacements: false,
  }));
}

/** Counts, and changes nothing. */
export async function planCopy(from: Store, to: Store): Promise<CopyPlan> {
  const source = withoutOwn(from);
  const shelves: CopyPlan["shelves"] = [];
  for (const shelf of COPIED_SHELVES) {
    const counted = { shelf, items: 0, known: 0 };
    for (let after: string | null = null; ; ) {
      const page: WholeItem[] = await source.walk(shelf, { after, limit: PAGE_ITEMS });
      const ids = page.filter(({ item }) => item.scope === "project").map(({ item }) => item.id);
      counted.items += ids.length;
      counted.known += ids.length === 0 ? 0 : (await to.outlines(shelf, ids)).length;
      if (page.length < PAGE_ITEMS) break;
      after = page.at(-1)!.item.id;
    }
    shelves.push(counted);
  }
  const sum = (of: "items" | "known") => shelves.reduce((total, one) => total + one[of], 0);
  return { shelves, items: sum("items"), known: sum("known") };
}

const isNote = ({ source }: Pick<Item, "source">): boolean => source === "file-index";

/** The store as if it had no notes, nor states of memories that are the person's own now. */
function withoutOwn(store: Store): Store {
  let gone: Promise<ReadonlySet<string>> | undefined;
  return {
    ...store,
    async walk(shelf, { after, limit }) {
      const kept: WholeItem[] = [];
      for (let last = after; ; ) {
        const page = await store.walk(shelf, { after: last, limit });
        kept.push(...page.filter(({ item }) => !isNote(item)));
        if (page.length < limit || kept.length >= limit) return kept.slice(0, limit);
        last = page.at(-1)!.item.id;
      }
    },
    async outlines(shelf, ids) {
      const found = await store.outlines(shelf, ids);
      const notes = new Set((await store.items(shelf, ids)).filter(isNote).map(({ id }) => id));
      return found.filter(({ id }) => !notes.has(id));
    },
    async chain(...page) {
      const own = await (gone ??= becameGlobal(store));
      return (await store.chain(...page)).map((entry) => withoutState(entry, own));
    },
  };
}

/** An entry of the chain holds without the state that it kept. */
const withoutState = (entry: ChainEntry, own: ReadonlySet<string>): ChainEntry =>
  own.has(entry.itemId) || /"source":\s*"file-index"/.test(entry.payload?.text ?? "")
    ? { ...entry, payload: null }
    : entry;

/** A working memory that became global was global here for a moment, so that its move is on record. */
async function becameGlobal(store: Store): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  const { length } = await store.chainHead();
  for (let from = 1; from <= length; from += PAGE_ITEMS)
    for (const { itemId, payload } of await store.chain(from, PAGE_ITEMS))
      if (/"scope":\s*"global"/.test(payload?.text ?? "")) ids.add(itemId);
  return ids;
}

/** Lines that are never written to a disk: the memory may be encrypted there. */
function inMemory(files: Files): Files {
  let kept: string[] | null = null;
  const refuse = () => new Failure("internal", "This file is not written.", "Report it.");
  return {
    ...files,
    resolve: (path) => path,
    kindOf: async () => (kept === null ? "absent" : "file"),
    async draft(_path, lines) {
      const written: string[] = [];
      let bytes = 0;
      for await (const line of lines) {
        written.push(line);
        bytes += Buffer.byteLength(line) + 1;
      }
      const keep = async () => void (kept = written);
      return { lines: written.length, bytes, keep, drop: async () => undefined };
    },
    async *lines() {
      yield* kept ?? [];
    },
    remove: async () => undefined,
    append: () => Promise.reject(refuse()),
  };
}
