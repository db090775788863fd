/**
 * What a language model chose from a stretch of work, read from its reply.
 *
 * The reply is not trusted: every limit is enforced here, files and symbols must stand in the conversation, and
 * confidence stays below what a person or an agent would give on purpose. Where it says the same as the built-in
 * extractor, the place in the transcript is taken from there.
 */
import { CAPTURED_CHARACTERS, type Captured, STRETCH_MEMORIES } from "../../../model/capture/stretch.ts";
import { shownLine } from "../../../model/text/cut.ts";
import { derivedSubject } from "../../decisions/subject.ts";
import { tellingStems } from "../../text/words.ts";
import { withoutTerminalSequences } from "../terminal-sequences.ts";
import { CAPTURED_TYPES } from "./extraction.ts";
import { listedObjects } from "./json-objects.ts";

const MOST_CONFIDENCE = 0.8;
const USUAL_CONFIDENCE = 0.6;
const USUAL_PRIORITY = 5;
const MOST_NAMES = 8;
const NAME_CHARACTERS = 300;
const SUBJECT_CHARACTERS = 100;
const LEAST_CHARACTERS = 8;
/** So much of the smaller one's words make two the same. */
const SAME_SHARE = 0.5;
/** Every line of the stretch. */
const WHOLE: [number, number] = [0, Number.MAX_SAFE_INTEGER];

/** Null if the reply says nothing that can be read; an empty list if it says that there is nothing. */
export function capturedIn(reply: string, turns: readonly string[], fallback: readonly Captured[]): Captured[] | null {
  const objects = listedObjects(reply, "memories");
  const said = turns.join("\n");
  const known = fallback.map((captured) => ({ captured, words: tellingStems(captured.content) }));
  const byContent = new Map<string, Captured>();
  for (const object of objects) {
    const read = asCaptured(object, said);
    if (read && !byContent.has(read.content)) byContent.set(read.content, placed(read, known));
  }
  const isEmpty = /"memories"\s*:\s*\[\s*\]/.test(reply);
  return byContent.size > 0 || isEmpty ? [...byContent.values()].slice(0, STRETCH_MEMORIES) : null;
}

function asCaptured(value: Record<string, unknown>, said: string): Captured | null {
  const content =
    typeof value["content"] === "string"
      ? shownLine(withoutTerminalSequences(value["content"]), CAPTURED_CHARACTERS)
      : "";
  const type = CAPTURED_TYPES.find((name) => name === value["type"]);
  if (type === undefined || content.length < LEAST_CHARACTERS) return null;
  const { confidence, priority, subject } = value;
  return {
    ...{ type, content, cue: "language model", lines: WHOLE },
    subject: type === "decision" ? subjectOf(subject, content) : null,
    rejected: [],
    rationale: null,
    files: namesIn(value["files"], said),
    symbols: namesIn(value["symbols"], said),
    confidence: within(confidence, 0, MOST_CONFIDENCE) ?? USUAL_CONFIDENCE,
    priority: Math.round(within(priority, 1, 10) ?? USUAL_PRIORITY),
  };
}

const within = (value: unknown, least: number, most: number): number | null =>
  typeof value === "number" && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : null;

const subjectOf = (subject: unknown, content: string): string =>
  (typeof subject === "string" && shownLine(subject, SUBJECT_CHARACTERS)) || derivedSubject({ content, tags: [] });

const namesIn = (names: unknown, said: string): string[] =>
  [...new Set(Array.isArray(names) ? names : [])]
    .filter((name) => typeof name === "string" && name !== "" && name.length <= NAME_CHARACTERS && said.includes(name))
    .slice(0, MOST_NAMES);

/** Where the built-in extractor found the same, and what else it knows about it. */
function placed(read: Captured, known: readonly { captured: Captured; words: ReadonlySet<string> }[]): Captured {
  const words = tellingStems(read.content);
  let [best, bestShare] = [null as Captured | null, SAME_SHARE];
  for (const { captured, words: others } of known) {
    const common = [...words].filter((word) => others.has(word)).length;
    const share = common / Math.max(1, Math.min(words.size, others.size));
    if (share >= bestShare) [best, bestShare] = [captured, share];
  }
  if (best === null) return read;
  const joined = (own: string[], others: string[]) => [...new Set([...own, ...others])].slice(0, MOST_NAMES);
  return {
    ...{ ...read, lines: best.lines },
    ...{ files: joined(read.files, best.files), symbols: joined(read.symbols, best.symbols) },
  };
}
