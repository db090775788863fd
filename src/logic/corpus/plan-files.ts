/** The changes that index one file: its item with passages, its symbols and references, and the file's state. */
import type { Change } from "../../model/journal/change.ts";
import type { CodeSymbol, FileShelf, FileState } from "../../model/corpus/corpus.ts";
import type { Item } from "../../model/memory/item.ts";
import type { Passage } from "../../model/memory/shelf.ts";
import { INITIAL_CONFIDENCE } from "./document-confidence.ts";
import { cutItem } from "../memory/cut-item.ts";
import { type Provenance, newItem } from "../memory/new-item.ts";

/** A file that was read, cleaned and parsed. */
export interface PreparedFile {
  shelf: FileShelf;
  /** State of the file; the item's id is not known yet. */
  state: Omit<FileState, "itemId">;
  title: string | null;
  summary: string;
  content: string;
  /** Hash of the content. */
  hash: string;
  type: string;
  label: string | null;
  language: string | null;
  tags: string[];
  passages: Passage[];
  symbols: CodeSymbol[];
  /** References as they are written in the file. */
  targets: string[];
}

/** `known` is the existing item of this file, under this path or its former one. */
export function planFile(
  file: PreparedFile,
  known: Item | null,
  birth: Provenance & Pick<Item, "context" | "details">,
): Change[] {
  const { shelf, state } = file;
  // Fields that a person added are still searched, although they are not in the file.
  const beside = cutItem({ ...known, content: "" });
  const from = file.passages.length;
  const passages = [
    ...file.passages,
    ...beside.map((passage) => ({ ...passage, ordinal: from + passage.ordinal, tokens: null })),
  ];
  const id = known?.id ?? birth.id;
  const initial = shelf === "memory" ? {} : { confidence: INITIAL_CONFIDENCE };
  const fields = {
    title: file.title,
    content: file.content,
    summary: file.summary,
    hash: file.hash,
    path: state.path,
    // Someone may have set the type of this memory.
    type: shelf === "memory" && known ? known.type : file.type,
    label: file.label,
    tags: file.tags,
    context: { ...(known?.context ?? birth.context), language: file.language },
  };
  const item: Change = known
    ? {
        ...{ kind: "revise_item", shelf, id, expectedVersion: known.version, passages, embed: true },
        // Splitting the same text differently is not an update: memories about it are not out of date.
        set: { ...fields, status: "active", updatedAt: known.content === file.content ? known.updatedAt : birth.now },
      }
    : {
        ...{ kind: "insert_item", shelf, passages, embed: true },
        item: newItem({ ...fields, source: "file-index", ...initial, details: birth.details }, birth),
      };
  return [item, ...findingsOf(file, id), recordingState(state, id)];
}

function findingsOf({ shelf, symbols, targets }: PreparedFile, itemId: string): Change[] {
  if (shelf === "code") return [{ kind: "put_symbols", itemId, symbols }];
  return shelf === "document" ? [{ kind: "put_references", itemId, written: targets }] : [];
}

/** Records the state in which the file was indexed. */
export const recordingState = (state: PreparedFile["state"], itemId: string): Change => ({
  kind: "note_files",
  files: [{ ...state, itemId }],
});

/** For the same text under different rules, or merely saved again: nothing is split or embedded again. */
export function planRelabel(state: PreparedFile["state"], known: Item, set: Pick<Item, "type" | "label">): Change[] {
  const recorded = recordingState(state, known.id);
  if (known.type === set.type && known.label === set.label) return [recorded];
  const { id, version: expectedVersion } = known;
  const revision = {
    kind: "revise_item",
    shelf: state.shelf,
    id,
    expectedVersion,
    passages: null,
    embed: true,
  } as const;
  return [{ ...revision, set }, recorded];
}

/** For a file that no longer exists. A memory that is no longer active keeps its history. */
export function planRemoval({ path, shelf }: FileState, known: Item | null): Change[] {
  const dropped: Change = { kind: "drop_files", paths: [path] };
  if (!known || (shelf === "memory" && known.status !== "active")) return [dropped];
  return [{ kind: "remove_item", shelf, id: known.id, expectedVersion: known.version }, dropped];
}
