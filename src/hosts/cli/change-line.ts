/** One change of a dry run, in the same words as a change in the journal. */
import { CHANGE_WORDS, type ReportedChange } from "../../model/journal/change-words.ts";
import { edgeName } from "../../model/memory/edge.ts";
import { handleOf } from "../../model/memory/handle.ts";
import { counted } from "../../model/text/count.ts";
import { shownLine } from "../../model/text/cut.ts";

const TITLE_CHARACTERS = 80;
const IDS_SHOWN = 5;

export const changeLine = (change: ReportedChange): string =>
  `would ${CHANGE_WORDS[change.kind].would} ${objectOf(change)}`;

function objectOf(change: ReportedChange): string {
  switch (change.kind) {
    case "insert_item": {
      const { id, title, summary } = change.item;
      return `${change.shelf} ${handleOf(id)} ${shownLine(title ?? summary, TITLE_CHARACTERS)}`;
    }
    case "revise_item":
    case "remove_item":
      return `${change.shelf} ${handleOf(change.id)}`;
    case "insert_edge":
      return `edge ${edgeName(change.edge)}`;
    case "remove_edge":
      return `edge ${change.id}`;
    case "purge_items":
      return some(change.ids);
    case "redact_items":
      return `${change.shelf} ${some(change.items.map(({ id }) => id))}`;
    case "drop_payloads":
      return `previous states of ${counted(change.numbers.length, "journal entry", "journal entries")}`;
    case "evict_items":
      return `${change.shelf} ${some(change.ids)}`;
    case "insert_space":
    case "move_space":
      return `project ${change.space.root}`;
  }
}

function some(ids: readonly string[]): string {
  const more = ids.length - IDS_SHOWN;
  return [...ids.slice(0, IDS_SHOWN).map(handleOf), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
