/**
 * Words to complete what a person types: handles, tags, subjects.
 *
 * Only the newest items are read, however many there are: a shell waits for the answer at every key.
 */
import { handleOf } from "../memory/handles.ts";
import type { Item } from "../memory/item.ts";
import type { Shelf } from "../memory/shelves.ts";
import { shownLine, titled } from "../text/short-text.ts";
import { type PlacesWorld, searchPlaces } from "./places.ts";

/** Words that a store knows and a shell can complete: handles of items by shelf, tags, and the subjects of decisions. */
const KNOWN_WORDS = ["item", "memory", "linkable", "decision", "proposal", "evidence", "tag", "subject"] as const;
export type KnownWord = (typeof KNOWN_WORDS)[number];

/** A word, and what it stands for. */
export interface Completion {
  word: string;
  about: string;
}

const ITEMS_READ = 200;
const WORDS_MOST = 100;
const ABOUT_CHARACTERS = 60;

const SHELVES: Readonly<Record<KnownWord, readonly Shelf[]>> = {
  item: ["memory", "decision", "proposal"],
  memory: ["memory"],
  linkable: ["memory", "decision"],
  decision: ["decision"],
  proposal: ["proposal"],
  evidence: ["evidence"],
  tag: ["memory", "decision", "proposal"],
  subject: ["decision", "proposal"],
};

/** Words of this kind that begin like that, in any case of letters; those of newer items first. */
export async function knownWords(kind: KnownWord, beginning: string, world: PlacesWorld): Promise<Completion[]> {
  const begins = beginning.toLowerCase();
  const words = new Map<string, string>();
  for (const { store, shelf, filter } of searchPlaces(SHELVES[kind], {}, world)) {
    for (const item of await store.newest(shelf, filter, { limit: ITEMS_READ, rows: ITEMS_READ }))
      for (const { word, about } of wordsOf(kind, item))
        if (!words.has(word) && word.toLowerCase().startsWith(begins)) words.set(word, about);
  }
  return [...words].slice(0, WORDS_MOST).map(([word, about]) => ({ word, about }));
}

function wordsOf(kind: KnownWord, { id, title, summary, tags }: Item): Completion[] {
  const about = shownLine(titled(title, summary), ABOUT_CHARACTERS);
  if (kind === "tag") return tags.map((word) => ({ word, about: "" }));
  if (kind === "subject") return title === null ? [] : [{ word: title, about: shownLine(summary, ABOUT_CHARACTERS) }];
  return [{ word: handleOf(id), about }];
}
