/**
 * Prepares the question, once for each kind of item searched.
 *
 * Words, wordpieces and dates are the same for all kinds, but the embedded text is not: for
 * conversations the speakers' names are removed, and of a report only the gist is embedded.
 */
import { subjectsIn } from "../decisions/subject.ts";
import type { Shelf } from "../memory/shelves.ts";
import { counted, cut } from "../text/short-text.ts";
import { UNKNOWN_PIECE } from "../text/wordpieces.ts";
import { queryTerms, tellingStems, words } from "../text/words.ts";
import type { Zone } from "../time/calendar.ts";
import { type DateMention, datesIn } from "../time/dates-in-text.ts";
import type { World } from "../world.ts";
import {
  embedQuestion,
  type EmbedQuestionWorld,
  embedRemotely,
  embedWaiting,
  type EmbedWaitingWorld,
} from "./embed-question.ts";
import type { RecallRequest, SearchPlace } from "./places.ts";
import { type Kind, type Mode, type Recipe, recipeFor } from "./ranking.ts";
import type { VectorQuery } from "./search.ts";

/**
 * Finds what a question mentions by name: a file by its path or stem, a symbol, a subject.
 *
 * A question is prepared once and compared with many names, so a long question is not scanned
 * again for each of them.
 */
const STEM_SHARE = 0.5;
const SHORTEST_STEM = 3;
/** A shorter dotted name is an abbreviation, such as "e.g." */
const SHORTEST_MODULE = 5;

interface Mentions {
  /** 1 if the question contains the path, its last two parts or its dotted module; half for the bare stem. */
  path(path: string): number;
  /** 1 if the question contains one of the names exactly. */
  name(names: readonly string[]): number;
  /** Whether the question names this subject of a decision. */
  subject(subject: string): boolean;
}

export function mentionsIn(question: string): Mentions {
  const text = folded(question);
  const spoken = new Set(words(text));
  const found = question.normalize("NFC").match(/[\p{L}\p{N}\p{M}_$.]+/gu) ?? [];
  // A full stop at the end of a sentence is not part of the name before it.
  const names = new Set(found.flatMap((name) => [name, name.replace(/\.{1,3}$/, "")]));
  return {
    path(path) {
      const { long, file, stem } = formsOf(path);
      if (long.some((form) => occurs(form, text))) return 1;
      if (file !== stem && occurs(file, text)) return 1;
      return stem.length >= SHORTEST_STEM && spoken.has(stem) ? STEM_SHARE : 0;
    },
    subject: subjectsIn(question),
    name: (wanted) => (wanted.some((name) => name !== "" && names.has(name.normalize("NFC"))) ? 1 : 0),
  };
}

/** How a path may be mentioned: in full, by its last two parts, as a module, as a file, by its stem. */
function formsOf(path: string): { long: string[]; file: string; stem: string } {
  const parts = folded(path)
    .split(/[\\/]/)
    .filter((part) => part !== "");
  const file = parts.at(-1) ?? "";
  const stem = file.replace(/\.\w+$/, "");
  if (parts.length < 2) return { long: [], file, stem };
  const module = [...parts.slice(-2, -1), stem].join(".");
  const long = [parts.join("/"), parts.slice(-2).join("/"), ...(module.length >= SHORTEST_MODULE ? [module] : [])];
  return { long, file, stem };
}

const WITHIN_WORD = /[\p{L}\p{N}\p{M}_]/u;

/** Whether a form occurs in a text by itself, not inside another word. */
function occurs(form: string, text: string): boolean {
  for (let at = text.indexOf(form); at !== -1 && form !== ""; at = text.indexOf(form, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.charAt(at + form.length)];
    if (!WITHIN_WORD.test(before) && !WITHIN_WORD.test(after)) return true;
  }
  return false;
}

/** One Unicode form for each letter: file systems and keyboards produce different ones. */
const folded = (text: string): string => text.normalize("NFC").toLowerCase();

/**
 * The form of a question: a few words, or a report with a headline and details.
 *
 * The first line of a report is its most informative; traces and code below it are mostly
 * beside the point. Speakers' names say nothing about the topic and mislead an embedding.
 */
const REPORT_WORDS = 40;
const GIST_CHARACTERS = 700;
/** Names are looked for only among the first words: a pasted page is not a question about a person. */
const NAMING_WORDS = 200;
/** A word as it is written: O'Brien, Jean-Luc, mary_jane. */
const WRITTEN_WORD = /[\p{L}\p{N}\p{M}]+(?:['’._-][\p{L}\p{N}\p{M}]+)*/gu;

/** The kind of item that a shelf holds, which decides how it is ranked. */
export function kindOf(shelf: Shelf, question: string, eachPassage: boolean): Kind {
  if (shelf === "evidence") return eachPassage ? "conversation" : "session";
  if (shelf === "document") return "prose";
  if (shelf === "code") return isReport(question) ? "report" : "code";
  return "memory";
}

export const isTalk = (kind: Kind): boolean => kind === "conversation" || kind === "session";

export function isReport(question: string): boolean {
  const lines = question.trim().split("\n");
  return lines.length >= 3 || words(question).length > REPORT_WORDS;
}

export function openingOf(question: string): string {
  const [opening = ""] = question.trim().split("\n", 1);
  return opening.trim();
}

/** The first line and the plain prose below it, without code, traces and comments. */
export function gistOf(question: string): string {
  const [opening = "", ...rest] = question.trim().split("\n");
  const prose = rest
    .join("\n")
    .replace(/```[\s\S]*?(```|$)/g, " ")
    .replace(/<!--[\s\S]*?(-->|$)/g, " ")
    .split("\n")
    .filter((line) => !/^( {4,}|\t|Traceback|\s*File ")/.test(line))
    .join("\n");
  return cut(`${opening}\n${prose}`.trim(), GIST_CHARACTERS);
}

/** Runs of one to three words that could be a name, both normalised and as written. */
export function possibleNames(question: string): string[] {
  const text = question.normalize("NFC").replaceAll("’", "'");
  const bare = words(text).slice(0, NAMING_WORDS);
  const written: RegExpExecArray[] = [];
  for (const match of text.matchAll(WRITTEN_WORD)) if (written.push(match) === NAMING_WORDS) break;
  const asWritten = (run: readonly RegExpExecArray[]): string[] => {
    const [first, last] = [run[0]!, run.at(-1)!];
    const name = text.slice(first.index, last.index + last[0].length).replace(/\s+/g, " ");
    return [name, name.replace(/'s$/i, "")];
  };
  return [...new Set([...runs(bare).map((run) => run.join(" ")), ...runs(written).flatMap(asWritten)])];
}

const runs = <T>(all: readonly T[]): T[][] =>
  [1, 2, 3].flatMap((size) =>
    all.slice(0, Math.max(0, all.length - size + 1)).map((_, start) => all.slice(start, start + size)),
  );

/** The question without these names; unchanged if nothing else would be left. */
export function withoutNames(question: string, names: readonly string[]): string {
  let text = question;
  for (const name of names) {
    const pattern = patternOf(name);
    if (pattern === "") continue;
    text = text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(['’]s)?(?![\\p{L}\\p{N}])`, "giu"), " ");
  }
  const left = text.replace(/\s+/g, " ").trim();
  return words(left).length > 0 ? left : question;
}

function patternOf(name: string): string {
  const parts = name.split(/\s+/).filter((part) => part !== "");
  const escaped = parts.map((part) => part.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&").replace(/['’]/g, "['’]"));
  return escaped.join("\\s+");
}

export interface KindQuestion {
  text: string;
  kind: Kind;
  places: readonly SearchPlace[];
  recipe: Recipe;
  channels: Channels;
  limit: number;
  /** Ranks individual passages instead of items by their best passage. */
  eachPassage: boolean;
  terms: readonly string[];
  /** Wordpieces of the terms; empty without a vocabulary. */
  pieces: readonly number[];
  dates: readonly DateMention[];
  /** In which dates are meant. */
  zone: Zone;
  mentions: Mentions;
  /** The first line of a report, its most informative one. */
  opening: string | null;
  /** Known speakers whom the question names. */
  speakers: readonly string[];
  /** Subjects of decisions with evidence that the question names, and each one's share of the question. */
  subjects: readonly { subject: string; share: number }[];
  /** Null if meaning is not used or not available. */
  vector: VectorQuery | null;
  /** Of the remote embedder; null without one, or if it did not answer. */
  remoteVector: VectorQuery | null;
  openingVector: VectorQuery | null;
  /** Why the answer may be incomplete. Later stages add to it. */
  problems: string[];
}

/** What the ranking uses. The modes `keyword` and `semantic` use one channel only. */
interface Channels {
  words: boolean;
  meaning: boolean;
  signals: boolean;
}

const CHANNELS: Record<Mode, Channels> = {
  hybrid: { words: true, meaning: true, signals: true },
  keyword: { words: true, meaning: false, signals: false },
  semantic: { words: false, meaning: true, signals: false },
};

type QuestionWorld = Pick<World, "settings" | "remoteEmbedder" | "zone"> & EmbedQuestionWorld & EmbedWaitingWorld;

/** One question for each kind of item in the places. */
export async function prepareQuestions(
  request: RecallRequest,
  places: readonly SearchPlace[],
  world: QuestionWorld,
): Promise<KindQuestion[]> {
  const { query: text, mode, limit, eachPassage = false } = request;
  const terms = queryTerms(text);
  const shared = {
    text,
    channels: CHANNELS[mode],
    limit,
    eachPassage,
    terms,
    pieces: await piecesOf(terms, world),
    dates: datesIn(text, world.clock.now(), world.zone),
    zone: world.zone,
    mentions: mentionsIn(text),
  };
  const questions: KindQuestion[] = [];
  for (const [kind, own] of Map.groupBy(places, ({ shelf }) => kindOf(shelf, text, eachPassage))) {
    const question: KindQuestion = {
      ...shared,
      kind,
      places: own,
      recipe: recipeFor(kind, request.recipe, world.settings.recall),
      opening: kind === "report" ? openingOf(text) : null,
      speakers: isTalk(kind) ? await speakersNamed(text, own) : [],
      subjects: isTalk(kind) ? await subjectsNamed(text, own) : [],
      vector: null,
      remoteVector: null,
      openingVector: null,
      problems: [],
    };
    questions.push(question.channels.meaning ? await withVectors(question, world) : question);
  }
  return questions;
}

/** The fallback for a question whose meaning finds nothing: the same question by everything else. */
export const withoutMeaning = (question: KindQuestion): KindQuestion => ({
  ...question,
  channels: { words: true, meaning: false, signals: true },
  vector: null,
  remoteVector: null,
  openingVector: null,
  problems: [],
});

async function withVectors(question: KindQuestion, world: QuestionWorld): Promise<KindQuestion> {
  const { places, channels, recipe, opening } = question;
  const { vector, problem } = await embedQuestion(textToEmbed(question), world);
  if (!vector) return { ...question, problems: problem === null ? [] : [problem] };
  const waiting = await embedWaiting(places, world);
  const remote = await embedRemotely(textToEmbed(question), places, world);
  const hasOpening = opening !== null && channels.signals && recipe.weights.gist;
  return {
    ...question,
    vector,
    remoteVector: remote.vector,
    openingVector: hasOpening ? (await embedQuestion(opening, world)).vector : null,
    problems: [
      ...(waiting === 0
        ? []
        : [
            `${counted(waiting, "passage is", "passages are")} not embedded yet: \`stele backfill\` embeds ${waiting === 1 ? "it" : "them"}`,
          ]),
      ...(remote.problem === null ? [] : [remote.problem]),
    ],
  };
}

function textToEmbed({ text, kind, speakers }: KindQuestion): string {
  if (isTalk(kind)) return withoutNames(text, speakers);
  return kind === "report" ? gistOf(text) : text;
}

async function piecesOf(
  terms: readonly string[],
  { tokenizer, log }: Pick<World, "tokenizer" | "log">,
): Promise<number[]> {
  const [pieces] = await tokenizer.encode([terms.join(" ")]).catch((thrown: Error) => {
    log.warn(`wordpieces are missing: ${thrown.message}`);
    return [];
  });
  // All unknown words share one piece, so each would match every other unknown word.
  return [...new Set(pieces ?? [])].filter((piece) => piece !== UNKNOWN_PIECE);
}

async function speakersNamed(text: string, places: readonly SearchPlace[]): Promise<string[]> {
  const names = possibleNames(text);
  const found = await Promise.all(places.map(({ store, shelf }) => store.speakers(shelf, names)));
  return [...new Set(found.flat())];
}

async function subjectsNamed(text: string, places: readonly SearchPlace[]): Promise<KindQuestion["subjects"]> {
  const found = await Promise.all(
    [...new Set(places.map(({ store }) => store))].map((store) => store.subjectsOfEvidence()),
  );
  const asked = tellingStems(text);
  return [...new Set(found.flat())].filter(subjectsIn(text)).map((subject) => {
    const named = [...tellingStems(subject)].filter((stem) => asked.has(stem));
    return { subject, share: asked.size > 0 ? named.length / asked.size : 0 };
  });
}
