/**
 * Whether a statement opposes a ratified decision, and why; only where that is sure.
 *
 * It does if it differs from the decision in one number, opposite or negation, demands what the decision forbids, or names
 * an alternative that was rejected for it. Any other way of saying otherwise shows by nearness, and is judged by who reads both.
 */
import { identityOf } from "../memory/handles.ts";
import type { Item } from "../memory/item.ts";
import { openingOf, saysOtherwise } from "../memory/nearness.ts";
import type { Hit } from "../recall/hit.ts";
import { negations } from "../text/english.ts";
import { fold, stems, tellingStems, words } from "../text/words.ts";
import { judge, type Reading, readingOf } from "./contradiction.ts";
import { wordingOf } from "./ratify-rules.ts";
import { sameSubject } from "./subject.ts";

export interface Decided {
  subject: string;
  text: string;
  /** Alternatives that were rejected. */
  rejected?: readonly string[];
}

/** A statement to compare with decisions; read once, however many it is compared with. */
export interface PreparedStatement {
  /** Of a proposal; null for a memory. */
  subject: string | null;
  text: string;
  reading: Reading;
}

const REASON_CHARACTERS = 80;
const REJECTED_WORDS_MOST = 5;

export function prepareStatement(text: string, subject: string | null = null): PreparedStatement {
  const opening = openingOf(text);
  return { subject, text: opening, reading: readingOf(opening) };
}

/** Reads a decision once; the answer is the reason in a few words, or null if the statement does not oppose it. */
export function decisionReader({
  subject,
  text,
  rejected = [],
}: Decided): (statement: PreparedStatement) => string | null {
  const opening = openingOf(text);
  const reading = readingOf(opening);
  const isSame = sameSubject(subject);
  const about = new Set([...tellingStems(subject), ...tellingStems(opening)]);
  const alternatives = rejected.map((one) => words(openingOf(one)).map(fold)).filter(isSpecific);
  const says = `where the decision says ${short(text)}`;
  return (other) => {
    if (saysOtherwise(opening, other.text)) return `says otherwise ${says}`;
    const isAbout = other.subject !== null && isSame(other.subject);
    const isOpposed = judge(reading, other.reading).level === "reject";
    if (isOpposed || (isAbout && judge(reading, other.reading).energy >= OPPOSED_LEAST))
      return `says the opposite ${says}`;
    const named = namedIn(other.text, alternatives, about);
    return named === null ? null : `names ${named}, which was rejected for ${short(text)}`;
  };
}

/** Opposite sides, whatever else the two share: on the same subject that is enough. */
const OPPOSED_LEAST = 0.6;

/** The rejected alternative that a sentence names without denying it, beside something that the decision is about. */
function namedIn(
  text: string,
  alternatives: readonly (readonly string[])[],
  about: ReadonlySet<string>,
): string | null {
  if (alternatives.length === 0) return null;
  for (const sentence of text.split(/[.;!?]\s+/)) {
    const said = words(sentence);
    const folded = said.map(fold);
    if (negations(sentence) > 0) continue;
    for (const alternative of alternatives) {
      const at = folded.findIndex((_, start) => alternative.every((word, index) => folded[start + index] === word));
      if (at < 0) continue;
      const rest = stems(said.toSpliced(at, alternative.length).join(" "));
      if ([...rest].some((one) => about.has(one))) return said.slice(at, at + alternative.length).join(" ");
    }
  }
  return null;
}

/** A long alternative is an argument. */
const isSpecific = (all: readonly string[]): boolean => all.length > 0 && all.length <= REJECTED_WORDS_MOST;

const short = (text: string): string => {
  const line = text.split(/\s+/).join(" ").trim();
  return line.length <= REASON_CHARACTERS ? line : `${line.slice(0, REASON_CHARACTERS - 1).toWellFormed()}…`;
};

/** Marks memories and proposals that oppose a decision in force that was found with them. */
export function withContradictions(hits: readonly Hit[], decisions: readonly Item[]): Hit[] {
  const readers = decisions.map((item) => {
    const { subject, decision: text, rejected } = wordingOf(item);
    return { id: item.id, opposes: decisionReader({ subject, text, rejected }) };
  });
  return hits.map((hit) => {
    if (readers.length === 0 || !isStatement(hit)) return hit;
    const statement = prepared(hit);
    const contradicts = readers.flatMap(({ id, opposes }) => {
      const why = opposes(statement);
      return why === null ? [] : [{ ...identityOf(id), why }];
    });
    return { ...hit, contradicts };
  });
}

/** An old conversation or a file does not oppose a decision: it says what was, or what is. */
const isStatement = ({ shelf }: Hit): boolean => shelf === "memory" || shelf === "proposal";

/** The title of a proposal is its subject; that of a memory may say anything. */
function prepared({ shelf, title, content }: Hit): PreparedStatement {
  if (shelf === "proposal") return prepareStatement(content, title);
  return prepareStatement(title ? `${title}. ${content}` : content);
}
