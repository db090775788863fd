/**
 * A foreign memory as it can be stored: limits of every field, no control characters, no secrets.
 *
 * Other tools accept anything, so what does not fit is cut or dropped rather than refused; only a text that cannot be
 * stored at all is.
 */
import type { Item } from "../../../model/memory/item.ts";
import { CONTEXT_FIELDS, ITEM_FIELDS } from "../../../model/memory/item-fields.ts";
import type { ForeignMemory } from "../../../model/transfer/foreign-memory.ts";
import { cut } from "../../../model/text/cut.ts";
import { textFault } from "../../../model/text/text.ts";
import type { Clean } from "../../redaction/clean-fields.ts";
import { oneLine } from "../../text/one-line.ts";
import { summaryOf } from "../../text/summary.ts";

const TITLE_CHARACTERS = 200;
const FILES_MOST = 50;
const SUMMARISED_CHARACTERS = 1_000;
const BACKGROUND = ITEM_FIELDS.background.maximum;
/** All but tab and line feed. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

export interface Storable extends Pick<Item, "title" | "content" | "background"> {
  summary: string;
  tags: string[];
  files: string[];
  session: string | null;
}

/** Or why it cannot be stored. */
export function storable(memory: ForeignMemory, clean: Clean): Storable | { fault: string } {
  const content = clean(plain(memory.content));
  const fault = textFault(content);
  if (fault !== null) return { fault };
  const background = memory.background === null ? "" : cut(clean(plain(memory.background)), BACKGROUND).trim();
  const lineOf = (maximum: number) => (text: string) => oneLine(text, maximum, clean) ?? [];
  return {
    title: memory.title === null ? null : oneLine(memory.title, TITLE_CHARACTERS, clean),
    content,
    summary: summaryOf(inOneLine(content)),
    background: background === "" || textFault(background) !== null ? null : background,
    tags: [...new Set(memory.tags.flatMap(lineOf(ITEM_FIELDS.tags.maximum)))].slice(0, ITEM_FIELDS.tags.most),
    files: [...new Set(memory.files.flatMap(lineOf(CONTEXT_FIELDS.files.maximum)))].slice(0, FILES_MOST),
    session: memory.session === undefined ? null : oneLine(memory.session, TITLE_CHARACTERS, clean),
  };
}

const IS_LIST = /^(?:[-*+] |\d{1,3}[.)] |`{3}|~{3}|\|)/;

/** The first line of a list or of code tells too little, and neither does one that only introduces them. */
function inOneLine(content: string): string {
  const [first = ""] = content.split("\n", 1);
  if (!IS_LIST.test(first) && !first.endsWith(":")) return content;
  const lines = content.slice(0, SUMMARISED_CHARACTERS).split("\n");
  return lines
    .filter((line) => !/^\s*(?:`{3}|~{3})|^[\s|:-]*$/.test(line))
    .map((line) =>
      line
        .trim()
        .replace(IS_LIST, "")
        .replace(/\s*[|.]$/, "")
        .trim(),
    )
    .join(", ")
    .replaceAll(":, ", ": ");
}

const plain = (text: string): string => text.replace(/\r\n?/g, "\n").toWellFormed().replace(CONTROLS, "").trim();
