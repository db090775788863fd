/**
 * What a chosen window is: its type, what it names, and how far it can be trusted.
 *
 * The cue that found it decides. Words that were only inferred are never trusted as much as stated ones, so confidence
 * stays below what a person or an agent would give on purpose.
 */
import type { Captured } from "../../model/capture/stretch.ts";
import type { MemoryType } from "../../model/memory/memory.ts";
import { derivedSubject } from "../decisions/subject.ts";
import { tellingStems } from "../text/words.ts";
import { CUES, EXTENSIONS, type Cue } from "./cues.ts";
import type { Passage, Place } from "./passage.ts";
import type { Window } from "./windows.ts";

interface Kind {
  type: MemoryType;
  confidence: number;
  priority: number;
}

/** Strongest first: the first cue in a window names its kind. */
const KINDS: readonly [Cue, Kind][] = [
  ["cause", { type: "bug_fix", confidence: 0.7, priority: 7 }],
  ["fix", { type: "bug_fix", confidence: 0.7, priority: 7 }],
  ["open", { type: "progress", confidence: 0.6, priority: 6 }],
  ["rule", { type: "convention", confidence: 0.55, priority: 6 }],
  ["choice", { type: "architecture", confidence: 0.6, priority: 6 }],
  ["caution", { type: "gotcha", confidence: 0.55, priority: 5 }],
  ["failure", { type: "error", confidence: 0.55, priority: 5 }],
  ["because", { type: "fact", confidence: 0.55, priority: 5 }],
  ["done", { type: "progress", confidence: 0.6, priority: 5 }],
  ["behaviour", { type: "code_description", confidence: 0.5, priority: 4 }],
];
/** Where no cue tells more. */
const PLACES: Record<Place, Kind> = {
  prompt: { type: "context", confidence: 0.5, priority: 4 },
  plan: { type: "context", confidence: 0.45, priority: 4 },
  middle: { type: "observation", confidence: 0.4, priority: 3 },
  final: { type: "observation", confidence: 0.45, priority: 4 },
  commit: { type: "progress", confidence: 0.7, priority: 5 },
  compaction: { type: "context", confidence: 0.5, priority: 4 },
};
const PREFERENCE: Kind = { type: "preference", confidence: 0.7, priority: 7 };
const DECISION: Kind = { type: "decision", confidence: 0.7, priority: 8 };

const PREFERS =
  /\b(?:always|never|don't|do not|prefer|i(?:'d| would) rather|i (?:want|like)|please (?:avoid|keep|use)|from now on)\b/i;
const DECIDED =
  /\b(?:we|i)(?:'ve| have)? decided (?:to|on|that|against)\b|\blet's (?:go with|use|keep|stick (?:with|to)|drop|switch to)\b|\bwe(?:'ll| will| are going to) (?:go with|use|keep|stick (?:with|to))\b|\bdecision: /i;
const NAMED_FILE = new RegExp(`(?<![\\w@./~-])(?:~?/)?(?:[\\w@.-]+/)*[\\w@.-]+\\.(?:${EXTENSIONS})\\b`, "g");
const SYMBOL =
  /\b[A-Za-z_]\w*(?=\(\))|\b[a-z][a-z0-9]*[A-Z]\w*\b|(?<=`)[A-Z][a-z0-9]+[A-Z]\w*(?=[`(])|\b[a-z0-9]+_[a-z0-9_]+\b(?!\.\w)/g;
const MOST_NAMES = 8;
const LEAST_DECIDED_WORDS = 3;

/** Whether the person laid something down in it. */
export function isStated({ text, placed }: Window): boolean {
  const { place } = placed[0]!.passage;
  return place === "prompt" && (isDecision(text, place) || isPreference(text));
}

export function described({ text: content, placed }: Window, touched: readonly string[]): Captured {
  const { passage } = placed[0]!;
  const { cue, kind } = kindOf(content, passage);
  return {
    ...kind,
    content,
    subject: kind.type === "decision" ? subjectOf(content) : null,
    files: filesIn(content, touched),
    symbols: [...new Set(content.match(SYMBOL))].slice(0, MOST_NAMES),
    cue,
    lines: [passage.line, placed.at(-1)!.passage.line],
  };
}

function kindOf(content: string, { place, error }: Passage): { cue: string; kind: Kind } {
  const isPrompt = place === "prompt";
  if (isDecision(content, place)) return { cue: `${place}: decision`, kind: DECISION };
  if (isPrompt && isPreference(content)) return { cue: "prompt: preference", kind: PREFERENCE };
  const found = isPrompt ? undefined : KINDS.find(([cue]) => CUES[cue].test(content));
  if (found === undefined) return { cue: place, kind: PLACES[place] };
  const [cue, kind] = found;
  if (error !== null && cue === "failure") return { cue: "error", kind };
  return { cue: `${place}: ${cue}`, kind: place === "plan" ? { ...kind, confidence: PLACES.plan.confidence } : kind };
}

/** A question decides nothing, and "let's use it" names nothing. */
function isDecision(content: string, place: Place): boolean {
  const sentence = decidingSentence(content);
  if (sentence === undefined || place === "middle") return false;
  return !sentence.includes("?") && tellingStems(sentence).size >= LEAST_DECIDED_WORDS + 1;
}

const isPreference = (content: string): boolean =>
  PREFERS.test(content) && !/\?\s*$/.test(content) && tellingStems(content).size >= LEAST_DECIDED_WORDS;

const decidingSentence = (content: string): string | undefined =>
  content.split(/(?<=[.!?])\s+/).find((sentence) => DECIDED.test(sentence));

function subjectOf(content: string): string {
  const sentence = decidingSentence(content) ?? content;
  const after = sentence.slice((DECIDED.exec(sentence)?.index ?? 0) + (DECIDED.exec(sentence)?.[0].length ?? 0));
  return derivedSubject({ content: after.trim(), tags: [] });
}

/** A file that was touched is named by its path, others as they were written. */
function filesIn(content: string, touched: readonly string[]): string[] {
  const named = [...new Set(content.match(NAMED_FILE))];
  return [
    ...new Set(named.map((name) => touched.find((path) => path === name || path.endsWith(`/${name}`)) ?? name)),
  ].slice(0, MOST_NAMES);
}
