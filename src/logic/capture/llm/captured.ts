/**
 * What a language model chose from a stretch of work, read from its reply.
 *
 * The reply is not trusted: every limit is enforced here, files and symbols must stand in the conversation, and
 * confidence stays below what a person or an agent would give on purpose.
 */
import { CAPTURED_CHARACTERS, type Captured, STRETCH_MEMORIES } from "../../../model/capture/stretch.ts";
import { shownLine } from "../../../model/text/cut.ts";
import { derivedSubject } from "../../decisions/subject.ts";
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
/** Null if the reply says nothing that can be read; an empty list if it says that there is nothing. */
export function capturedIn(reply: string, turns: readonly string[]): Captured[] | null {
  const said = turns.join("\n");
  const read = listedObjects(reply, "memories").flatMap((object) => asCaptured(object, said) ?? []);
  const distinct = [...new Map(read.map((captured) => [captured.content, captured])).values()];
  const isEmpty = /"memories"\s*:\s*\[\s*\]/.test(reply);
  return distinct.length > 0 || isEmpty ? distinct.slice(0, STRETCH_MEMORIES) : null;
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
    ...{ type, content },
    subject: type === "decision" ? subjectOf(subject, content) : null,
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
