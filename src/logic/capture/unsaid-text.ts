/**
 * Removes what must not be captured: what a person marked as private, memory that Stele itself put into the session, and
 * sequences for a terminal, which could also divide a mark or a secret.
 *
 * The first two reach to the end if they are not closed: the rest of a private text is private too.
 */
import { MEMORY_END, MEMORY_START } from "../../model/capture/memory-block.ts";
import { withoutTerminalSequences } from "./terminal-sequences.ts";

const PRIVATE = /<(\/?)private\b[^<>]{0,200}>/gi;
const BLOCK = new RegExp(`(?:<!--\\s{0,9})?${MEMORY_START}[^]*?(?:${MEMORY_END}(?:\\s{0,9}-->)?|$)`, "g");

export function withoutUnsaid(text: string): string {
  const plain = withoutTerminalSequences(text);
  return withoutPrivate(plain.includes(MEMORY_START) ? plain.replace(BLOCK, "") : plain);
}

/** Private parts may be nested. A closing mark that closes nothing is ordinary text. */
function withoutPrivate(text: string): string {
  let kept = "";
  let depth = 0;
  let from = 0;
  for (const { 0: mark, 1: slash, index } of text.matchAll(PRIVATE)) {
    if (slash === "/" && depth === 0) continue;
    if (depth === 0) kept += text.slice(from, index);
    depth += slash === "/" ? -1 : 1;
    from = index + mark.length;
  }
  return depth === 0 ? kept + text.slice(from) : kept;
}
