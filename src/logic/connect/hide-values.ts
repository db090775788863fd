/**
 * Hides what is not ours in the difference of a configuration: it may be the key of another server, in any form.
 *
 * Only values between quotes can be secrets. Keys stay, so that a person sees where a change stands.
 */
import type { WantedFile } from "../../model/connect/host.ts";
import { type Json, isObject } from "../../model/connect/json.ts";

const HIDDEN = "…";
/** A text in quotes, and what makes it a key. */
const QUOTED = {
  json: /"((?:[^"\\]|\\.)*)"(\s*:)?/g,
  toml: /"((?:[^"\\]|\\.)*)"(\s*=)?|'[^']*'(\s*=)?/g,
};
/** An older entry of ours starts a program by its path. */
const PATH = /^(?:\/|[A-Za-z]:[\\/])[\w .@+\\/-]+$/;

/** `diff` is unified; its headers and comments stay as they are. */
export function withHiddenValues(diff: string, { entries, format }: WantedFile): string {
  const ours = new Set(entries.flatMap(({ value }) => textsIn(value)).map(inner));
  return diff
    .split("\n")
    .map((line, at) => (at < HEADER_LINES || line.startsWith("@@") ? line : hidden(line, QUOTED[format], ours)))
    .join("\n");
}

const HEADER_LINES = 2;

function hidden(line: string, quoted: RegExp, ours: ReadonlySet<string>): string {
  const isChanged = line.startsWith("+") || line.startsWith("-");
  return line.replace(quoted, (all: string, text?: string, key?: string, literalKey?: string) => {
    const isOurs = text !== undefined && (text === "" || ours.has(text) || (isChanged && PATH.test(text)));
    return isOurs || typeof key === "string" || typeof literalKey === "string" ? all : `"${HIDDEN}"`;
  });
}

/** As it stands between quotes. */
const inner = (text: string): string => JSON.stringify(text).slice(1, -1);

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
