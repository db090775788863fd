/**
 * The blocks of a section of Markdown: paragraphs, items of lists, code, tables.
 *
 * An item keeps everything indented below it, and code stays with the text before it, which it illustrates. Rules between
 * blocks and lines of badges are dropped. Every line is read once.
 */
export interface Block {
  kind: "text" | "item" | "table";
  /** Of an item: without its mark, and not indented. */
  text: string;
  /** Of an item: its list is numbered. */
  isNumbered: boolean;
}

const MARK = /^( {0,3})(?:([-*+])|(\d{1,3})[.)])(?:[ \t]+|$)/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const RULE_LINE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const BADGES = /^\s*(?:\[?!\[[^\]]{0,200}\]\([^)]{0,500}\)\]?(?:\([^)]{0,500}\))?\s*)+$/;
const TABLE = /^\s*\|/;

/** Where a line goes if nothing else begins with it. */
interface Open extends Block {
  lines: string[];
  /** How far the text of an item is indented. */
  indent: number;
  isAfterBlank: boolean;
}

export function blocksOf(body: string): Block[] {
  const blocks: Block[] = [];
  let open: Open | null = null;
  let fence: string | null = null;
  for (const line of body.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    const isCode: boolean = fence !== null || mark !== undefined;
    const next: Open | null = isCode ? withCode(line, open) : withLine(line, open);
    if (open !== null && next !== open) blocks.push(closed(open));
    open = next;
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence) && line.trim() === mark) fence = null;
  }
  if (open !== null) blocks.push(closed(open));
  return blocks.filter(({ text }) => text !== "");
}

/** Code belongs to the text before it. */
function withCode(line: string, open: Open | null): Open {
  return open === null || open.kind === "table" ? opened("text", [line]) : continued(open, line);
}

/** The block that a line belongs to; null after a line that ends one and is dropped. */
function withLine(line: string, open: Open | null): Open | null {
  if (line.trim() === "") {
    if (open !== null) open.isAfterBlank = true;
    return open;
  }
  if (RULE_LINE.test(line) || BADGES.test(line)) return null;
  const item = MARK.exec(line);
  const isWithin = open?.kind === "item" && indentOf(line) >= Math.min(open.indent, 2);
  if (item && !isWithin) {
    const isNumbered = item[3] !== undefined;
    return { ...opened("item", [line.slice(item[0].length)]), indent: item[0].length, isNumbered };
  }
  const kind = TABLE.test(line) && !isWithin ? "table" : "text";
  const isLazy =
    open !== null && !open.isAfterBlank && (open.kind === kind || (open.kind === "item" && kind === "text"));
  return open !== null && (isWithin || isLazy) ? continued(open, line) : opened(kind, [line]);
}

function continued(open: Open, line: string): Open {
  if (open.isAfterBlank) open.lines.push("");
  open.lines.push(line);
  open.isAfterBlank = false;
  return open;
}

const opened = (kind: Block["kind"], lines: string[]): Open => ({
  ...{ kind, indent: 0, text: "", isNumbered: false, lines, isAfterBlank: false },
});

const indentOf = (line: string): number => /^[ \t]*/.exec(line)![0].replaceAll("\t", "    ").length;

function closed({ kind, isNumbered, lines, indent }: Open): Block {
  const [first = "", ...rest] = lines;
  const below = Math.min(indent, ...rest.filter((line) => line.trim() !== "").map(indentOf));
  const own = [first, ...rest.map((line) => line.slice(below))];
  const isQuoted = own.every((line) => line.startsWith(">"));
  return { kind, isNumbered, text: (isQuoted ? own.map((line) => line.replace(/^>\s?/, "")) : own).join("\n").trim() };
}
