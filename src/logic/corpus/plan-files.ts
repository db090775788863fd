/** What taking in one file writes: its item with passages, what it defines and refers to, and how the file was. */
import type { Change } from "../../model/journal/change.ts";
import type { CodeSymbol, FileShelf, FileState } from "../../model/corpus/corpus.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import { BIRTH_CONFIDENCE } from "./document-confidence.ts";
import { cutItem } from "../memory/cut-item.ts";
import { type Provenance, newItem } from "../memory/new-item.ts";

/** A file that was read, cleaned and parsed. */
export interface TakenIn {
  shelf: FileShelf;
  /** How the file was; the item's id is not known yet. */
  state: Omit<FileState, "itemId">;
  title: string | null;
  summary: string;
  content: string;
  /** Of the content. */
  hash: string;
  type: string;
  label: string | null;
  language: string | null;
  tags: string[];
  passages: Passage[];
  symbols: CodeSymbol[];
  /** What it refers to, as it is written. */
  targets: string[];
}

/** `known` is the item that stood for this file, under this path or another. */
export function planFile(
  file: TakenIn,
  known: Item | null,
  birth: Provenance & Pick<Item, "context" | "details">,
): Change[] {
  const { shelf, state } = file;
  // What a person said beside the content is still searched, although the file does not have it.
  const beside = cutItem({ ...known, content: "" });
  const from = file.passages.length;
  const passages = [
    ...file.passages,
    ...beside.map((passage) => ({ ...passage, ordinal: from + passage.ordinal, tokens: null })),
  ];
  const id = known?.id ?? birth.id;
  const sure = shelf === "memory" ? {} : { confidence: BIRTH_CONFIDENCE };
  const said = {
    title: file.title,
    content: file.content,
    summary: file.summary,
    hash: file.hash,
    path: state.path,
    // A person may have said what kind of memory it is.
    type: shelf === "memory" && known ? known.type : file.type,
    label: file.label,
    tags: file.tags,
    context: { ...(known?.context ?? birth.context), language: file.language },
  };
  const item: Change = known
    ? {
        ...{ kind: "revise_item", shelf, id, expectedVersion: known.version, passages, embed: true },
        // Cut anew is not said anew: memories about it are not out of date.
        set: { ...said, status: "active", updatedAt: known.content === file.content ? known.updatedAt : birth.now },
      }
    : {
        ...{ kind: "insert_item", shelf, passages, embed: true },
        item: newItem({ ...said, source: "file-index", ...sure, details: birth.details }, birth),
      };
  return [item, ...findingsOf(file, id), noting(state, id)];
}

function findingsOf({ shelf, symbols, targets }: TakenIn, itemId: string): Change[] {
  if (shelf === "code") return [{ kind: "put_symbols", itemId, symbols }];
  return shelf === "document" ? [{ kind: "put_references", itemId, written: targets }] : [];
}

/** How the file was when it was taken in. */
export const noting = (state: TakenIn["state"], itemId: string): Change => ({
  kind: "note_files",
  files: [{ ...state, itemId }],
});

/** The same text under other rules, or only written again: nothing is cut or embedded anew. */
export function planRelabel(state: TakenIn["state"], known: Item, set: Pick<Item, "type" | "label">): Change[] {
  const noted = noting(state, known.id);
  if (known.type === set.type && known.label === set.label) return [noted];
  const { id, version: expectedVersion } = known;
  const revision = {
    kind: "revise_item",
    shelf: state.shelf,
    id,
    expectedVersion,
    passages: null,
    embed: true,
  } as const;
  return [{ ...revision, set }, noted];
}

/** A file that is there no more. Of a memory that no longer holds, the history stays. */
export function planRemoval({ path, shelf }: FileState, known: Item | null): Change[] {
  const dropped: Change = { kind: "drop_files", paths: [path] };
  if (!known || (shelf === "memory" && known.status !== "active")) return [dropped];
  return [{ kind: "remove_item", shelf, id: known.id, expectedVersion: known.version }, dropped];
}
