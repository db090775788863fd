/**
 * Folds the events of a session into turns, each of which becomes evidence.
 *
 * The state is plain JSON and kept with the checkpoint, so that a session read in any number of steps gives the same.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Item } from "../memory/item.ts";
import { cut } from "../text/short-text.ts";
import { typedParts } from "./origins.ts";
import { type SessionEvent, STRETCH_IDLE_MS, type StretchEnd } from "./session.ts";

// What a session leaves word for word: turns, from one prompt to the next, in parts that say where they come from.
//
// Everything told of a session later (its card, its notes, the errors it met) is made from these alone.

/** `own` was typed by the person, `pasted` came with it from elsewhere. */
export const PART_LABELS = ["own", "pasted", "agent", "tool"] as const;
export type PartLabel = (typeof PART_LABELS)[number];

/** What a tool was called for, as far as that can be seen. */
export interface ToolCall {
  name: string;
  /** Of a shell. */
  command: string | null;
  /** Of a file, relative to the checkout where it lies within it. */
  path: string | null;
  /** Whether it changed the file. */
  edits: boolean;
  failed: boolean;
}

export interface Part {
  label: PartLabel;
  /** Redacted. Of a tool: both ends of what it printed, `PRINTED_CHARACTERS` at most. */
  text: string;
  at: number | null;
  /** Only of a tool. */
  call?: ToolCall;
  /** Written by the agent's program, not by the agent: its title for the session, or its summary of what came before. */
  written?: "title" | "compaction";
}

export interface SessionTurn {
  at: number | null;
  branch: string | null;
  parts: Part[];
}

export const PRINTED_CHARACTERS = 1_000;

/** Names the rules that made a state, which others cannot continue. */
export const STATE_FORMAT = "turns 1";

interface OpenTurn extends SessionTurn {
  /** Characters in all parts. */
  size: number;
  /** Calls whose result may still come, with the part that waits for it. */
  calls: [call: string, part: number][];
}

export interface SessionState {
  open: OpenTurn | null;
  branch: string | null;
  lastAt: number | null;
  /** What the agent said last, which the next prompt may answer. */
  lastWords: string | null;
  /** Of the bytes of the transcript before the offset; null where there is no file. */
  mark: string | null;
  /** Evidence that a language model is yet to be asked about, if one is configured. */
  unread: string[];
}

/** A finished turn with what the agent had said before it; or the end of the work that the turns before belong to. */
export type SessionStep = { turn: SessionTurn; lastWords: string | null } | { ended: StretchEnd };

export const NEW_SESSION: SessionState = {
  open: null,
  branch: null,
  lastAt: null,
  lastWords: null,
  mark: null,
  unread: [],
};

/** Whether anything still waits for the end of its turn, or of its work. */
export const isOpen = ({ open, unread }: SessionState): boolean => open !== null || unread.length > 0;

const CALLS_KEPT = 32;
/** A turn in which an agent works for hours is kept in several pieces. */
const TURN_CHARACTERS = 48_000;
const WORDS_CHARACTERS = 4_000;

export function foldSession(
  before: SessionState,
  events: readonly SessionEvent[],
  endedBy: StretchEnd | null,
): { state: SessionState; steps: SessionStep[] } {
  let state = before;
  const steps: SessionStep[] = [];
  const close = () => {
    const { open, lastWords } = state;
    state = { ...state, open: null };
    if (open === null || open.parts.length === 0) return;
    const { at, branch, parts } = open;
    const before = parts[0]!.label === "agent" || parts[0]!.label === "tool" ? null : lastWords;
    steps.push({ turn: { at, branch, parts }, lastWords: before });
    const last = parts.findLast(({ label, written }) => label === "agent" && written === undefined);
    if (last) state = { ...state, lastWords: last.text.slice(-WORDS_CHARACTERS) };
  };
  const end = (ended: StretchEnd) => {
    close();
    steps.push({ ended });
  };
  for (const event of events) {
    const isIdle = state.lastAt !== null && event.at !== null && event.at - state.lastAt > STRETCH_IDLE_MS;
    if (isIdle) end("idle");
    if (event.kind === "compaction") end("compaction");
    if (event.kind === "prompt" || (state.open?.size ?? 0) > TURN_CHARACTERS) close();
    state = { ...state, branch: event.branch ?? state.branch, lastAt: event.at ?? state.lastAt };
    // A session in which nothing was said waits for nothing.
    if (event.kind !== "start") state = { ...state, open: grown(state, event) };
  }
  if (endedBy !== null) end(endedBy);
  return { state, steps };
}

function grown({ open, branch }: SessionState, event: Exclude<SessionEvent, { kind: "start" }>): OpenTurn {
  const turn = open ?? { at: event.at, branch, parts: [], size: 0, calls: [] };
  const known = { ...turn, branch: turn.branch ?? branch, at: turn.at ?? event.at };
  if (event.kind === "call") {
    const calls = [...turn.calls, [event.call, turn.parts.length] as [string, number]].slice(-CALLS_KEPT);
    return withParts({ ...known, calls }, [{ label: "tool", text: "", at: event.at, call: callOf(event) }]);
  }
  if (event.kind === "result") return withResult(known, event);
  const { at, text } = event;
  if (event.kind === "prompt")
    return withParts(
      known,
      typedParts(text, event.typed ?? null).map((part) => ({ ...part, at })),
    );
  const written = event.kind === "reply" ? {} : { written: event.kind };
  return withParts(known, text.trim() === "" ? [] : [{ label: "agent", text: text.trim(), at, ...written }]);
}

const sizeOf = ({ text, call }: Part): number => text.length + (call?.command?.length ?? 0) + 100;

const withParts = (turn: OpenTurn, parts: readonly Part[]): OpenTurn => ({
  ...turn,
  parts: [...turn.parts, ...parts],
  size: parts.reduce((sum, part) => sum + sizeOf(part), turn.size),
});

const EDITS = /edit|write|patch|replace|create/i;

const callOf = ({ tool, command, path }: Extract<SessionEvent, { kind: "call" }>): ToolCall => ({
  name: tool,
  command,
  path,
  edits: path !== null && EDITS.test(tool),
  failed: false,
});

/** A result of a call in an earlier piece stands by itself. One of a call that edited several files stands with the first. */
function withResult(turn: OpenTurn, { call, text, isError, at }: Extract<SessionEvent, { kind: "result" }>): OpenTurn {
  const waiting = turn.calls.flatMap(([id, part]) => (id === call ? [part] : []));
  const calls = turn.calls.filter(([id]) => id !== call);
  const printed = text.trim();
  if (waiting.length === 0) {
    if (!isError) return { ...turn, calls };
    const alone = { name: "", command: null, path: null, edits: false, failed: true };
    return withParts({ ...turn, calls }, [{ label: "tool", text: printed, at, call: alone }]);
  }
  const parts = turn.parts.map((part, index) =>
    part.call && waiting.includes(index)
      ? { ...part, text: index === waiting[0] ? printed : "", call: { ...part.call, failed: isError } }
      : part,
  );
  return { ...turn, calls, parts, size: turn.size + printed.length };
}

/** Of each of the agent's messages: whole texts find a session worse. */
const AGENT_CHARACTERS = 400;
const PERSON_CHARACTERS = 8_000;

/** What is searched of a turn: what the person said, and how each of the agent's messages begins. */
export const searchedParts = ({ parts }: SessionTurn): Part[] =>
  parts
    .filter(({ label, written }) => label !== "tool" && written !== "title")
    .map((part) => ({ ...part, text: cut(part.text, part.label === "agent" ? AGENT_CHARACTERS : PERSON_CHARACTERS) }));

// A turn beside its evidence: every part of it, compressed. Only the text of the evidence is searched; this is for who
// reads the session in full, and for everything that is made from it again.

/** Halves the size in a tenth of the time the best quality takes. */
const QUALITY = 5;
/** More than the longest turn; anything longer was not written by us. */
const LONGEST_BYTES = 4_000_000;

export function packTurn(turn: SessionTurn): string {
  const bytes = Buffer.from(JSON.stringify(turn));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return brotliCompressSync(bytes, { params }).toString("base64");
}

/** Null when there is none, or what an imported file calls one is none. */
export function turnIn({ details }: Pick<Item, "details">): SessionTurn | null {
  const packed = details["turn"];
  if (typeof packed !== "string") return null;
  try {
    const bytes = brotliDecompressSync(Buffer.from(packed, "base64"), { maxOutputLength: LONGEST_BYTES });
    return asTurn(JSON.parse(bytes.toString()));
  } catch {
    return null;
  }
}

const SPEAKERS = { own: "person", pasted: "pasted", agent: "agent", tool: "tool" } as const satisfies Record<
  PartLabel,
  string
>;

/** Every part with who said it; later lines are indented, so that no text can begin a part of its own. */
export const turnText = ({ parts }: SessionTurn): string =>
  parts
    .map(({ label, text, call, written }) => {
      const what = call
        ? ` ${[call.name, call.command ?? call.path ?? "", call.failed ? "(failed)" : ""].filter(Boolean).join(" ")}`
        : "";
      return `${SPEAKERS[label]}${written === undefined ? what : `'s program, ${written}`}: ${text}`
        .replace(/\s+$/, "")
        .replaceAll("\n", "\n  ");
    })
    .join("\n");

/** The details with the turn passed through `clean`, which sees its texts; the same object if nothing was changed. */
export function cleanedTurn(details: Item["details"], clean: (text: string) => string): Item["details"] {
  if (details["turn"] === undefined) return details;
  const turn = turnIn({ details });
  if (turn === null) return withoutTurn(details);
  const parts = turn.parts.map((part) => cleanedPart(part, clean));
  const branch = turn.branch === null ? null : clean(turn.branch);
  const isClean = branch === turn.branch && parts.every((part, index) => part === turn.parts[index]);
  return isClean ? details : { ...details, turn: packTurn({ ...turn, branch, parts }) };
}

function withoutTurn(details: Item["details"]): Item["details"] {
  const { turn: _, ...rest } = details;
  return rest;
}

function cleanedPart(part: Part, clean: (text: string) => string): Part {
  const { call } = part;
  const text = clean(part.text);
  if (!call) return text === part.text ? part : { ...part, text };
  const or = (written: string | null) => (written === null ? null : clean(written));
  const cleaned = { ...call, name: clean(call.name), command: or(call.command), path: or(call.path) };
  const isClean = text === part.text && JSON.stringify(cleaned) === JSON.stringify(call);
  return isClean ? part : { ...part, text, call: cleaned };
}

function asTurn(value: unknown): SessionTurn | null {
  const { at, branch, parts } = (value ?? {}) as Partial<Record<keyof SessionTurn, unknown>>;
  if (!Array.isArray(parts)) return null;
  return { at: momentOr(at), branch: textOr(branch), parts: parts.flatMap(asPart) };
}

function asPart(value: unknown): Part[] {
  const { label, text, at, call, written } = (value ?? {}) as Partial<Record<keyof Part, unknown>>;
  const known = PART_LABELS.find((one) => one === label);
  if (known === undefined || typeof text !== "string") return [];
  const by = written === "title" || written === "compaction" ? { written } : null;
  return [{ label: known, text, at: momentOr(at), ...by, ...(known === "tool" && { call: asCall(call) }) } as Part];
}

function asCall(value: unknown): ToolCall {
  const { name, command, path, edits, failed } = (value ?? {}) as Partial<Record<keyof ToolCall, unknown>>;
  return {
    name: textOr(name) ?? "",
    command: textOr(command),
    path: textOr(path),
    edits: edits === true,
    failed: failed === true,
  };
}

const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);
const momentOr = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);
