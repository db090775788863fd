/** The texts that previous states in the journal hold. Tampered ones are erased too, but hold nothing that can be found. */
import { cutItem } from "../../../logic/memory/cut-item.ts";
import { cleanDeep } from "../../../logic/redaction/clean-fields.ts";
import { redact } from "../../../logic/redaction/redaction.ts";
import type { Item } from "../../../model/memory/item.ts";

export const withTitle = ({ title }: Pick<Item, "title">, text: string) => (title ? `${title}\n${text}` : text);

export const textsIn = (payload: string): string[] =>
  unlessTampered(payload, (before, passages) =>
    (passages ?? cutItem(before)).map(({ text }) => withTitle(before, text)),
  );

export const contentIn = (payload: string): string[] => unlessTampered(payload, ({ content }) => [content]);

/** Tampered payloads are erased too; only the traces of their texts cannot be identified. */
function unlessTampered(payload: string, read: (before: Item, passages?: { text: string }[]) => string[]): string[] {
  try {
    const { before, passages } = JSON.parse(payload) as { before: Item | string | null; passages?: { text: string }[] };
    return before === null || typeof before === "string" ? [] : read(before, passages);
  } catch {
    return [];
  }
}

/** A state that cannot be read is searched as it is written. */
export function holdsSecret(payload: string): boolean {
  let isFound = false;
  cleanDeep(parsed(payload), (text) => {
    isFound ||= redact(text).redactions.length > 0;
    return text;
  });
  return isFound;
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    return payload;
  }
}
