/**
 * What a chosen window is: its type, what it names, and how far it can be trusted.
 *
 * The cue that found it decides. Words that were only inferred are never trusted as much as stated ones, so confidence
 * stays below what a person or an agent would give on purpose.
 */
import { CAPTURED_CHARACTERS, type Captured } from "../../../model/capture/stretch.ts";
import type { MemoryType } from "../../../model/memory/memory.ts";
import { derivedSubject } from "../../decisions/subject.ts";
import { tellingStems } from "../../text/words.ts";
import { CUES } from "./sentences/cue-phrases.ts";
import { EXTENSIONS } from "./sentences/cues.ts";
import type { Passage, Place } from "./passage.ts";
import type { Window } from "./windows.ts";
import { takesBack } from "./withdrawn.ts";

export const CAUTION =
  /\b(?:gotcha|caveat|edge case|note that|beware|careful|unless|except|pre-existing|silently|(?:can|does|do|is|was|are)n't|cannot|not (?:required|supported|possible|available))\b/i;
/** "Never call it" is a rule, "it is never called" a description. */
export const RULE =
  /\bmust(?:n't)?\b(?!(?: have| be (?:because|why|due))\b|'ve)|\b(?:shouldn't|should (?:not|always|never)|conventions?|by convention|required by)\b|(?:^|[.;:!—]\s|\b(?:please|you|we|to) )(?:always|never|do not|don't) (?!I\b)\w/i;
export const LEFT_OPEN =
  /\b(?:follow-?ups?|TODO|deferred (?:to|until|for)|remaining (?:\w+ )?(?:work|tasks?|items?|steps?|issues?|concerns?|problems?)|still (?:needs?|to)|not yet|out of scope|open (?:items?|questions?)|tech debt|next steps?)\b/i;
const FAILED =
  /\b(?:fail(?:s|ed|ing|ure)?|errors?(?! (?:check|handl|messag|case|path|return|wrapp))|broken?|panics?|flaky|regressions?(?! tests?))\b/i;

interface Kind {
  type: MemoryType;
  confidence: number;
  priority: number;
}

/** Strongest first: the first that matches names the kind. Narrower than what makes a sentence worth keeping. */
const KINDS: readonly [cue: string, pattern: RegExp, kind: Kind][] = [
  ["cause", CUES.cause, { type: "bug_fix", confidence: 0.7, priority: 7 }],
  ["fix", CUES.fix, { type: "bug_fix", confidence: 0.7, priority: 7 }],
  ["choice", CUES.choice, { type: "architecture", confidence: 0.6, priority: 6 }],
  ["rule", RULE, { type: "convention", confidence: 0.55, priority: 6 }],
  ["open", LEFT_OPEN, { type: "progress", confidence: 0.6, priority: 6 }],
  ["caution", CAUTION, { type: "gotcha", confidence: 0.55, priority: 6 }],
  ["failure", FAILED, { type: "error", confidence: 0.55, priority: 5 }],
  ["done", CUES.done, { type: "progress", confidence: 0.6, priority: 5 }],
  ["because", CUES.because, { type: "fact", confidence: 0.55, priority: 5 }],
  ["behaviour", CUES.behaviour, { type: "code_description", confidence: 0.5, priority: 4 }],
];
/** Where no cue tells more. */
const PLACES: Record<Place, Kind> = {
  prompt: { type: "context", confidence: 0.5, priority: 4 },
  plan: { type: "context", confidence: 0.45, priority: 4 },
  middle: { type: "observation", confidence: 0.4, priority: 3 },
  final: { type: "observation", confidence: 0.45, priority: 4 },
  commit: { type: "progress", confidence: 0.7, priority: 5 },
  published: { type: "progress", confidence: 0.65, priority: 5 },
  compaction: { type: "context", confidence: 0.5, priority: 4 },
};
const PREFERENCE: Kind = { type: "preference", confidence: 0.7, priority: 7 };
const FIX: Kind = { type: "bug_fix", confidence: 0.65, priority: 6 };
/** Of the usual priority: a person has yet to agree. */
const DECISION: Kind = { type: "decision", confidence: 0.7, priority: 5 };
const STATED_KINDS: Record<Stated, Kind> = {
  decision: DECISION,
  preference: PREFERENCE,
  fact: { type: "fact", confidence: 0.7, priority: 7 },
  open: { type: "progress", confidence: 0.7, priority: 6 },
};

/**
 * "Don't set it" is about this moment, "don't use it" may be about all that come; "is never called" is a description,
 * "never call it" a wish.
 */
const PREFERS =
  /(?:^|[.!?;,:—-]\s*|\b(?:please|should|must|we|you|and|to)\s+)(?:always|never(?! mind))\s|\b(?:i prefer|we prefer|i(?:'d| would) rather|i like|please (?:avoid|keep|use)|from now on|(?:don't|do not) (?:ever|use|add|create|write|touch|commit|push|put))\b/i;
export const DECIDED =
  /\b(?:we|i)(?:'ve| have)? (?:decided|agreed) (?:to(?: \w+)?|on|that|against)\b|(?:^|[.!?] )(?:decision|decided|agreed): /i;
const DECIDED_BY_PERSON =
  /\blet's (?:go with|use|keep|stick (?:with|to)|drop|switch to)\b|\bwe(?:'ll| will| are going to) (?:go with|use|keep|stick (?:with|to))\b|\bwe should (?:go with|use|keep|stick (?:with|to))\b/i;
/** "Remember that …", "…, remember this." */
const REMEMBERED =
  /(?:^|[.!;]\s+)(?:(?:please|also|and|but|so),? ){0,2}(?:remember|keep in mind|bear in mind|for the record|don't forget)(?:[:,]| that\b| this[:,])|\bremember (?:that|this)[.!]?$/i;
/** "No, it is …", "actually it is …": the person puts somebody right; what is to be done next is no fact. */
const CORRECTED =
  /^(?:no|nope|nah|wrong|not quite|actually|that's (?:wrong|not (?:right|true|correct)))\b[,.:;!—–-]?\s.*\b(?:is|are|was|were|isn't|aren't|has|have|had|must|mustn't|should|shouldn't|needs?|uses?|runs?|lives?|listens?|goes|belongs?|means|takes?|holds?|contains?|returns?|only|never|always)\b/i;
/** "…, not 8080", "no longer": what held before is named with it. */
const OUTDATED =
  /\b(?:is|are|runs?|uses?|lives?|listens?|goes|takes?|holds?|returns?|belongs?)\b[^.?!]*(?:,| now| and) not \S|\b(?:is|are|has|have|does|do|we|it|they) no longer\b/i;
/** What the person leaves for later. */
const LATER = /\b(?:we|i) still (?:need|have) to\b|\bdon't forget to\b|^TODO\b/i;
const NAMED_FILE = new RegExp(`(?<![\\w@./~-])(?:~?/)?(?:[\\w@.-]+/)*[\\w@.-]+\\.(?:${EXTENSIONS})\\b`, "g");
const SYMBOL =
  /\b[A-Za-z_]\w*(?=\(\))|\b[a-z][a-z0-9]*[A-Z]\w*\b|(?<=`)[A-Z][a-z0-9]+[A-Z]\w*(?=[`(])|\b[a-z0-9]+_[a-z0-9_]+\b(?!\.\w)/g;
const MOST_NAMES = 8;
/** Shorter ones, like an exit code, tell nothing. */
const LEAST_ERROR = 20;
const LEAST_STATED_WORDS = 3;

/** What a person lays down; each is a memory of its own. */
type Stated = "decision" | "preference" | "fact" | "open";

function statedIn(sentence: string): Stated | null {
  if (isDecision(sentence, "prompt")) return "decision";
  if (isPreference(sentence)) return "preference";
  if (/\?\s*$/.test(sentence) || tellingStems(sentence).size < LEAST_STATED_WORDS) return null;
  if ([REMEMBERED, CORRECTED, OUTDATED].some((pattern) => pattern.test(sentence))) return "fact";
  return LATER.test(sentence) ? "open" : null;
}

/** Says why, or what not to do instead. */
const COMPANION = /^(?:don't|do not|not|no|instead|otherwise|it|that|this)\b/i;

/** What the person laid down in it: one thing, and at most why or what it replaces. Null if nothing, or more than that. */
function statedBy(window: Window): Stated | null {
  if (window.placed[0]!.passage.place !== "prompt" || isReported(window)) return null;
  const texts = window.placed.map(({ unit: { text } }) => text);
  const kinds = new Set(texts.map(statedIn).filter((kind) => kind !== null));
  if (kinds.size !== 1) return null;
  const belongs = (text: string) => statedIn(text) !== null || COMPANION.test(text) || CUES.because.test(text);
  return texts.every(belongs) ? [...kinds][0]! : null;
}

export const isStated = (window: Window): boolean => statedBy(window) !== null;

export const isDecided = (window: Window): boolean =>
  !isReported(window) && isDecision(window.text, window.placed[0]!.passage.place);

/** Somebody else's words decide nothing: a quotation, or what a page, a colleague or a document says. */
const REPORTED =
  /\b(?:page|article|site|readme|docs?|documentation|comment|issue|ticket|thread|colleague|he|she|they|somebody|someone)\b(?: \w+){0,3} (?:says?|said|states?|stated|reads?|writes?|wrote|claims?|suggests?|told)\b|\b(?:it|which)(?: \w+){0,2} (?:says?|said|states?|stated|claims?|suggests?)\b|\baccording to\b|^["“'‘]|[:,] ["“]/i;

const isReported = ({ text, placed }: Window): boolean =>
  placed.some(({ unit }) => unit.isQuoted) || REPORTED.test(text);

/** Orders that an agent read somewhere and repeats: kept, a later session would take them for rules. */
export const isRelayedOrder = (window: Window): boolean =>
  window.placed[0]!.passage.place !== "prompt" &&
  isReported(window) &&
  [PREFERS, RULE, IGNORING].some((pattern) => pattern.test(window.text));
const IGNORING =
  /\b(?:ignore|disregard|forget) (?:all|any|the|your|every) (?:\w+ )?(?:instructions?|rules?|prompts?)\b/i;

export function described(window: Window, touched: readonly string[]): Captured {
  const { text: content, placed } = window;
  const { passage } = placed[0]!;
  const stated = statedBy(window);
  const { cue, kind } =
    stated === null
      ? kindOf(content, passage, isReported(window))
      : { cue: `prompt: ${stated}`, kind: STATED_KINDS[stated] };
  const seen = kind.type === "bug_fix" || kind.type === "error" ? (passage.fixed ?? passage.error) : null;
  const withError = seen === null || seen.length < LEAST_ERROR ? content : `${content} Error seen: ${seen}`;
  return {
    ...kind,
    content: withError.length <= CAPTURED_CHARACTERS ? withError : content,
    ...(kind.type === "decision" ? decided(content, passage.place) : { subject: null, rejected: [], rationale: null }),
    files: filesIn(content, touched),
    symbols: [...new Set(content.match(SYMBOL))].slice(0, MOST_NAMES),
    ...(takesBack(placed[0]!.unit.text) && !takesBack(content) && { corrects: true }),
    cue,
    lines: [passage.line, placed.at(-1)!.passage.line],
  };
}

/** Whether it explains how something that failed came to work. */
export const isFix = ({ text, placed }: Window): boolean =>
  placed[0]!.passage.fixed !== null && [CUES.cause, CUES.fix, CUES.because].some((cue) => cue.test(text));

function kindOf(
  content: string,
  { place, error, fixed }: Passage,
  isReportedSpeech: boolean,
): { cue: string; kind: Kind } {
  const isPrompt = place === "prompt";
  if (isReportedSpeech) return { cue: `${place}: reported`, kind: { ...PLACES[place], type: "observation" } };
  if (isDecision(content, place)) return { cue: `${place}: decision`, kind: DECISION };
  const found = isPrompt ? undefined : KINDS.find(([, pattern]) => pattern.test(content));
  if (found === undefined) return { cue: place, kind: PLACES[place] };
  const [cue, , kind] = found;
  if (fixed !== null && cue === "because") return { cue: "fixed", kind: FIX };
  if (error !== null && cue === "failure") return { cue: "error", kind: { ...kind, type: "bug_fix" } };
  return { cue: `${place}: ${cue}`, kind: place === "plan" ? { ...kind, confidence: PLACES.plan.confidence } : kind };
}

/** A question decides nothing, and "let's use it" names nothing. */
function isDecision(content: string, place: Place): boolean {
  const sentence = decidingSentence(content, place)?.sentence;
  if (sentence === undefined || sentence.includes("?")) return false;
  return tellingStems(sentence).size > LEAST_STATED_WORDS;
}

const isPreference = (content: string): boolean =>
  PREFERS.test(content) && !/\?\s*$/.test(content) && tellingStems(content).size >= LEAST_STATED_WORDS;

/** Only a person decides by proposing. */
function decidingSentence(content: string, place: Place): { sentence: string; rest: string } | undefined {
  const patterns = place === "prompt" ? [DECIDED, DECIDED_BY_PERSON] : [DECIDED];
  for (const sentence of content.split(/(?<=[.!?])\s+/))
    for (const pattern of patterns) {
      const found = pattern.exec(sentence);
      if (found) return { sentence, rest: sentence.slice(found.index + found[0].length).trim() };
    }
  return undefined;
}

/** "SQLite instead of Redis, because it needs no server" */
function decided(content: string, place: Place): Pick<Captured, "subject" | "rejected" | "rationale"> {
  const sentence = decidingSentence(content, place)?.sentence ?? content;
  const rejected = /\b(?:instead of|rather than|not) ([^,.;]{2,80}?)(?=[,.;]|$| (?:for|because|since|as|in)\b)/i.exec(
    sentence,
  )?.[1];
  const rationale = /\b(?:because|since) (.{8,300}?)[.!]?$/i.exec(sentence)?.[1];
  return { subject: subjectOf(content, place), rejected: rejected ? [rejected] : [], rationale: rationale ?? null };
}

/** "SQLite instead of Redis for the session cache" is about the session cache; without a purpose, about SQLite. */
function subjectOf(content: string, place: Place): string {
  const rest = decidingSentence(content, place)?.rest || content;
  const purpose = /\bfor (?!now\b)(?:the |our |all )?(.+)/i.exec(rest)?.[1];
  const [choice = rest] = rest.split(/\b(?:instead of|rather than)\b/i);
  return derivedSubject({ content: purpose ?? choice, tags: [] });
}

/** A file that was touched is named by its path, others as they were written. */
function filesIn(content: string, touched: readonly string[]): string[] {
  const named = [...new Set(content.match(NAMED_FILE))];
  return [
    ...new Set(named.map((name) => touched.find((path) => path === name || path.endsWith(`/${name}`)) ?? name)),
  ].slice(0, MOST_NAMES);
}
