/**
 * A turn beside its evidence: every part of it, compressed. Only the text of the evidence is searched; this is for who
 * reads the session in full, and for everything that is made from it again.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";
import type { Item } from "../../model/memory/item.ts";
import { PART_LABELS, type Part, type PartLabel, type SessionTurn, type ToolCall } from "../../model/sessions/turn.ts";

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
    ...{ name: textOr(name) ?? "", command: textOr(command), path: textOr(path) },
    ...{ edits: edits === true, failed: failed === true },
  };
}

const textOr = (value: unknown): string | null => (typeof value === "string" ? value : null);
const momentOr = (value: unknown): number | null => (Number.isSafeInteger(value) ? (value as number) : null);
