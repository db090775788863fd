import type { SessionEvent, TypedPrompt } from "./session.ts";
import { isObject, objectsOf, textIn } from "./transcripts.ts";

/**
 * Divides a prompt into what the person typed and what came with it from elsewhere: logs, code, documents, reviews.
 *
 * Layout decides, not vocabulary: lines that only machines write, and prose that is laid out or polished as nobody types
 * it. A short text in doubt counts as typed, a long one as pasted, because what was pasted never becomes a memory.
 */
export interface LabelledText {
  label: "own" | "pasted";
  text: string;
}

/** Everything in it, in order; two neighbours never have the same label. */
export function labelled(text: string): LabelledText[] {
  const blocks = taggedBlocks(text);
  return joined(
    blocks.flatMap((block) => (block.label === null ? labelledLines(block.text) : [{ ...block, label: block.label }])),
  );
}

/** A report that was pasted alone is still a question: its prose, without tags, code and lines of machines. */
export function pastedProse(text: string): string {
  const blocks = taggedBlocks(text).filter(({ label }) => label === null);
  const prose = blocks.flatMap((block) => {
    const lines = linesOf(block.text);
    joinMachineLines(lines);
    return lines.filter(({ kind }) => kind === "prose").map((line) => line.text);
  });
  return prose.join("").replace(HOST_MARKERS, " ");
}

/** The same where the agent's program noted what was typed: what is not in that is pasted. */
export function typedParts(text: string, typed: string | null): LabelledText[] {
  if (typed === null) return labelled(text);
  const parts: LabelledText[] = [];
  let from = 0;
  for (const piece of typed.split(HOST_MARKER)) {
    const own = piece.trim();
    if (own === "") continue;
    const at = text.indexOf(own, from);
    // The program noted another prompt, or changed this one.
    if (at < 0) return labelled(text);
    parts.push({ label: "pasted", text: text.slice(from, at) }, ...labelled(own));
    from = at + own.length;
  }
  return joined([...parts, { label: "pasted", text: text.slice(from) }]);
}

/** What a program shows in place of something pasted. */
const HOST_MARKER =
  /\[(?:Pasted (?:text|content)|Image|(?:\.\.\.)?Truncated text|Attachment|File)\b[^[\]\n]{0,80}\](?:\([^()\n]{0,400}\))?/i;
const HOST_MARKERS = new RegExp(HOST_MARKER.source, "gi");

function joined(parts: readonly LabelledText[]): LabelledText[] {
  const merged: LabelledText[] = [];
  let space = "";
  for (const { label, text } of parts) {
    const last = merged.at(-1);
    if (text.trim() === "") {
      if (last) last.text += text;
      else space += text;
    } else if (last?.label === label) last.text += text;
    else {
      merged.push({ label, text: space + text });
      space = "";
    }
  }
  return merged.length === 0 && space !== "" ? [{ label: "own", text: space }] : merged;
}

interface Block {
  label: "pasted" | null;
  text: string;
}

const INDENT = 40;
const TAG = /<(\/?)([A-Za-z][\w:.-]{0,60})((?:\s[^<>\n]{0,300})?)>/g;

/** `<tag>…</tag>` that begins a line, or that reaches over several; the rest is not judged here. */
function taggedBlocks(text: string): Block[] {
  const tags = [...text.matchAll(TAG)];
  const next = new Map<string, number>();
  const ends = tags.map(() => 0);
  for (const [place, { 1: slash, 2: name, 0: tag, index }] of [...tags.entries()].reverse())
    if (slash === "/") next.set(name!, index + tag.length);
    else ends[place] = next.get(name!) ?? 0;
  const blocks: Block[] = [];
  let from = 0;
  for (const [place, { 0: tag, index }] of tags.entries()) {
    const end = ends[place]!;
    if (end === 0 || index < from) continue;
    const isAtLineStart = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, index - INDENT), index));
    const isAtLineEnd = /^[ \t]*\n/.test(text.slice(index + tag.length, index + tag.length + INDENT));
    if (!isAtLineStart && !isAtLineEnd) continue;
    blocks.push({ label: null, text: text.slice(from, index) }, { label: "pasted", text: text.slice(index, end) });
    from = end;
  }
  return [...blocks, { label: null, text: text.slice(from) }];
}

type Kind = "blank" | "machine" | "prose";

interface Line {
  text: string;
  kind: Kind;
  /** Null until judged. */
  label: LabelledText["label"] | null;
}

function labelledLines(text: string): LabelledText[] {
  const lines = linesOf(text);
  joinMachineLines(lines);
  let run: Line[] = [];
  let isAfterMachine = false;
  for (const [index, line] of [...lines.entries(), [lines.length, null] as const]) {
    if (line !== null && line.kind !== "machine") {
      run.push(line);
      continue;
    }
    const isLast = index === lines.length;
    if (run.length > 0) labelProse(run, { isAfterMachine, isLast, isLong: text.length > LONG_PASTE });
    run = [];
    if (line !== null) [line.label, isAfterMachine] = ["pasted", true];
  }
  return lines.flatMap(({ text: written, label }) => withoutMarkers(written, label ?? "own"));
}

function withoutMarkers(text: string, label: LabelledText["label"]): LabelledText[] {
  if (label === "pasted" || (text.length < LONG_TAIL && !text.includes("["))) return [{ label, text }];
  const parts: LabelledText[] = [];
  let from = 0;
  for (const { 0: marker, index } of text.matchAll(HOST_MARKERS)) {
    parts.push({ label, text: text.slice(from, index) }, { label: "pasted", text: marker });
    from = index + marker.length;
  }
  return [...parts, ...withQuotedTail(text.slice(from))];
}

/** "can you check this: The cache is …": a lead and somebody else's paragraph on one line. */
function withQuotedTail(text: string): LabelledText[] {
  const lead = /^[^\n]{0,160}?: (?=["“]?[A-Z])/.exec(text)?.[0];
  const rest = lead === undefined ? "" : text.slice(lead.length);
  return lead !== undefined && rest.length >= LONG_TAIL && isPolished(rest)
    ? [
        { label: "own", text: lead },
        { label: "pasted", text: rest },
      ]
    : [{ label: "own", text }];
}

const LONG_TAIL = 160;

/** Each with its newline. */
const linesOf = (text: string): Line[] => {
  let fence: string | null = null;
  return (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => {
    const mark = /^\s{0,8}(?:[-*]\s)?(```|~~~)/.exec(line)?.[1] ?? null;
    const isFenced = fence !== null || mark !== null;
    if (mark !== null) fence = fence === null ? mark : fence === mark ? null : fence;
    const kind: Kind = isFenced ? "machine" : line.trim() === "" ? "blank" : isMachineLine(line) ? "machine" : "prose";
    return { text: line, kind, label: null };
  });
};

/** Longer lines are judged by their beginning. */
const JUDGED_CHARACTERS = 400;

const MACHINE: readonly RegExp[] = [
  /** Quotations. */
  /^\s{0,3}>\s?\S/,
  /** Columns, and what a terminal or an editor indents or fills up. */
  /\S {3,}\S|\S {3,}$|^ {5,}\S|^\t/,
  /** Times and numbers in front, as in logs and listings. */
  /^\W{0,4}(?:\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d)|^\s*\d{1,6}(?:\s+[+|│-]|[→:|]\s)|^[0-9a-f]{7,40} \S/,
  /** Levels and errors, places in files, frames of a stack, test runners, heads of changes. */
  /^\W{0,4}[A-Z]{4,8}\b[\]:[(=]|^\s*(?:[\w$.]*(?:[Ee]rror|Exception|[Ww]arning)|fatal|panic|remote|note|npm \S+)(?:\s?[[(][\w-]+[\])])?: /,
  /^\s*[\w@.+~/\\-]+\.\w{1,10}[:(]\d+[:,)\s]|^\s+at \S/,
  /^\s*(?:PASS|FAIL|ok|not ok)\s+\S+[\s/]|^(?:---|===|\+\+\+|@@|diff --git) /,
  /** Marks that programs draw, tables, frames. */
  /^\s*[|✓✔✗✘✖×⨯●⏺⎿─━═▶❌✅]|[│├└┌╭╰]/u,
  /** Code and data. */
  /^\s*(?:\/\/|\/\*|<[!/?A-Za-z]|"[^"]{1,80}"\s*:|[{}[\]()]+[,;]?\s*$)|[;{}]\s*$/,
  /^\s*(?:\w+ )?[\w.$[\]]+\s*(?::=|[+-]?=)\s/,
];
/** A shell: what stands right below is what the command printed. */
const SHELL = /^\s*(?:\([\w.-]+\)\s)?(?:[\w.-]+@[\w.-]+[^\n$#%]{0,200})?[$%❯➜]\s+\S/u;

const isMachineLine = (line: string): boolean => {
  const head = line.slice(0, JUDGED_CHARACTERS).replace(/\n$/, "");
  return SHELL.test(head) || MACHINE.some((pattern) => pattern.test(head));
};

/** From here on a text that is largely a machine's is one output, with whatever stands within it. */
const LONG_OUTPUT = 800;
const LARGELY = 0.3;

/** Lines right below lines of a machine are its own too; so are rows of `+` and `-`. */
function joinMachineLines(lines: readonly Line[]): void {
  markChanges(lines);
  const machine = lines.filter(({ kind }) => kind === "machine").length;
  const length = lines.reduce((sum, { text }) => sum + text.length, 0);
  if (length > LONG_OUTPUT && machine > LARGELY * lines.filter(({ kind }) => kind !== "blank").length) {
    const isMachine = ({ kind }: Line) => kind === "machine";
    for (const line of lines.slice(lines.findIndex(isMachine), lines.findLastIndex(isMachine))) line.kind = "machine";
  }
  let isPrinted = false;
  for (const [index, line] of lines.entries()) {
    if (line.kind === "machine") isPrinted ||= SHELL.test(line.text.slice(0, JUDGED_CHARACTERS));
    else if (line.kind === "blank") isPrinted = false;
    else if (lines[index - 1]?.kind === "machine" && line.text.length < JUDGED_CHARACTERS)
      if (isPrinted || isIndented(line) || !isSpokenLine(line.text)) line.kind = "machine";
  }
  for (let index = lines.length - 2; index >= 0; index -= 1) {
    const line = lines[index]!;
    if (line.kind === "prose" && lines[index + 1]!.kind === "machine" && isIndented(line)) line.kind = "machine";
  }
}

const isIndented = ({ text }: Line): boolean => /^\s+\S/.test(text);

const CHANGED_LINES = 3;

function markChanges(lines: readonly Line[]): void {
  let run: Line[] = [];
  for (const line of [...lines, null]) {
    if (line !== null && /^[+-](?!\s*$)/.test(line.text)) {
      run.push(line);
      continue;
    }
    const isChange = ["+", "-"].every((sign) => run.some(({ text }) => text.startsWith(sign)));
    if (isChange && run.length >= CHANGED_LINES) for (const one of run) one.kind = "machine";
    run = [];
  }
}

/** Words by which a person speaks to somebody. Nothing else tells a short plain sentence of theirs from one of a document. */
const ADDRESS = /(?<![\w'])(?:i|i'm|i'd|i've|i'll|we|you|me|my|us|our|your|please)(?![\w.])/i;

const isSpokenLine = (text: string): boolean => {
  const line = text.trim();
  return /\?["')\]]*$/.test(line) || /^[a-z]+[ ,']/.test(line) || ADDRESS.test(line.slice(0, JUDGED_CHARACTERS));
};

const QUOTED = /"[^"]*"/g;

/** Whole sentences with capitals and full stops that speak to nobody. */
function isPolished(text: string): boolean {
  const line = text.trim().replace(/^(?:[-*•]|\d{1,2}[.)])\s+/, "");
  return (
    !/^["'`(]?[a-z]/.test(line) &&
    /[.:!…]["')\]`*]*$/.test(line) &&
    !ADDRESS.test(line.slice(0, 2_000).replace(QUOTED, ""))
  );
}

interface Paragraph {
  lines: Line[];
  text: string;
  isLaidOut: boolean;
  isSpoken: boolean;
}

const SHORT = 200;
const LONG = 600;
/** What one person types in one go, at most. */
const LONGEST_TYPED = 1_500;
/** Polished prose of this length was hardly typed into a prompt. */
const POLISHED = 300;
const ANNOUNCED = 100;
const LONGEST_TAIL = 400;

/** In a longer text with output of machines, what stands between and below is hardly the person's. */
const LONG_PASTE = 2_000;

function labelProse(
  run: readonly Line[],
  { isAfterMachine, isLast, isLong }: Record<"isAfterMachine" | "isLast" | "isLong", boolean>,
) {
  const body = paragraphsOf(run);
  const set = (some: readonly Paragraph[], label: LabelledText["label"]) => {
    for (const { lines } of some) for (const line of lines) line.label = label;
  };
  set(body, "own");
  const lead = !isAfterMachine && body.length > 0 && isLead(body[0]!) ? [body.shift()!] : [];
  if (isLast && body.length > (isAfterMachine ? 0 : 1) && isTail(body.at(-1)!)) body.pop();
  const isAnnounced = lead.at(-1)?.text.endsWith(":") === true;
  const isFrom = isAnnounced && !isSpokenLine(lead.at(-1)!.text);
  if ((isAfterMachine && isLong) || isFrom || isDocument(body, isAnnounced)) set(body, "pasted");
}

/**
 * The person's own words before a document: spoken, or announcing what follows. "Contents of notes.md:" speaks to nobody, so
 * that whatever follows is from there.
 */
const isLead = ({ text, isLaidOut, isSpoken }: Paragraph): boolean =>
  !isLaidOut && text.length <= LONG && ((isSpoken && isSpokenLine(text)) || text.endsWith(":"));

const SPEAKER = /(?<![\w'])(?:I|i|I'm|i'm|we|my|our)(?![\w.])|\?$/;

const isTail = ({ text, isLaidOut }: Paragraph): boolean =>
  !isLaidOut && isSpokenLine(text) && text.length <= (SPEAKER.test(text) ? LONGEST_TAIL : SHORT);

function isDocument(body: readonly Paragraph[], isAnnounced: boolean): boolean {
  const length = body.reduce((sum, { text }) => sum + text.length, 0);
  const laidOut = body.filter(({ isLaidOut }) => isLaidOut).length;
  const sentences = body.filter(({ text }) => text.length >= ANNOUNCED);
  const isFormal = sentences.length > 0 && sentences.every(({ isSpoken }) => !isSpoken);
  if (isAnnounced && (length > LONG || (length >= ANNOUNCED && (laidOut > 0 || isFormal)))) return true;
  if (laidOut > 1 || (laidOut === 1 && length > LONG)) return true;
  if (isFormal && length >= POLISHED) return true;
  const written = body.flatMap(({ lines }) => lines.filter(({ kind }) => kind === "prose"));
  if (length > SHORT && written.length > 1 && written.every((line) => /^\s{2,}\S/.test(line.text))) return true;
  return length > LONGEST_TYPED;
}

function paragraphsOf(run: readonly Line[]): Paragraph[] {
  const groups: Line[][] = [];
  let isOpen = false;
  for (const line of run) {
    if (line.kind === "blank") groups.at(-1)?.push(line);
    else if (isOpen) groups.at(-1)!.push(line);
    else groups.push([line]);
    // A line that announces something stands by itself.
    isOpen = line.kind !== "blank" && !(groups.at(-1)!.length === 1 && /:\s*$/.test(line.text));
  }
  return groups.map((lines) => {
    const text = lines
      .map((line) => line.text)
      .join("")
      .trim();
    return { lines, text, isLaidOut: isLaidOut(lines), isSpoken: !isPolished(text) };
  });
}

const HEADING = /^\s{0,3}#{1,6}\s+\S|^\s*\*\*[^*\n]{2,100}\*\*:?\s*$/;

/** Nobody types headings into a prompt. */
const isLaidOut = (lines: readonly Line[]): boolean => lines.some(({ text }) => HEADING.test(text.trimEnd()));

// Claude Code's own history of what was typed: a line a prompt, with a mark in place of each text that was pasted.

/** Null for a prompt of another session, or into which nothing was pasted. */
export function typedPromptOf(line: string, session: string): TypedPrompt | null {
  const [object] = objectsOf(line).objects;
  if (object === undefined || textIn(object, "sessionId") !== session) return null;
  const [typed, at, pasted] = [textIn(object, "display"), object["timestamp"], object["pastedContents"]];
  const hasPasted = isObject(pasted) && Object.keys(pasted).length > 0;
  return typed === null || typeof at !== "number" || !Number.isFinite(at) || !hasPasted ? null : { typed, at };
}

/** The host notes a prompt when it is sent, and records it a moment later. */
const APART_MS = 60_000;

/** The events with what was typed of each prompt, where that is noted. */
export function withTyped(events: readonly SessionEvent[], noted: readonly TypedPrompt[]): SessionEvent[] {
  if (noted.length === 0) return [...events];
  return events.map((event) => {
    if (event.kind !== "prompt" || event.at === null) return event;
    const at = event.at;
    const [nearest] = noted
      .filter((one) => Math.abs(one.at - at) <= APART_MS)
      .sort((one, two) => Math.abs(one.at - at) - Math.abs(two.at - at));
    return nearest ? { ...event, typed: nearest.typed } : event;
  });
}
