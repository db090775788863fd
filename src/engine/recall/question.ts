/**
 * Question: what was asked, prepared once for each kind of thing that is searched.
 *
 * Words, wordpieces and dates are the same for all kinds; what is embedded is not: in talk the
 * names of the speakers are left out, and of a report only the gist is read.
 */
import { datesIn, type DateMention } from "../../logic/recall/dates.ts";
import { type Mentions, mentionsIn } from "../../logic/recall/mentions.ts";
import { gistOf, isTalk, kindOf, openingOf, possibleNames, withoutNames } from "../../logic/recall/question-form.ts";
import { type Recipe, recipeFor } from "../../logic/recall/recipes.ts";
import { subjectsIn } from "../../logic/decisions/subject.ts";
import { UNKNOWN_PIECE } from "../../logic/text/wordpiece.ts";
import { queryTerms, tellingStems } from "../../logic/text/words.ts";
import type { Kind, Mode } from "../../model/recall/ranking.ts";
import type { VectorQuery } from "../../model/recall/search.ts";
import type { World } from "../../ports/world.ts";
import { type EmbedQuestionWorld, embedQuestion } from "./embed-question.ts";
import { type EmbedWaitingWorld, embedWaiting } from "./embed-waiting.ts";
import type { SearchPlace } from "./places.ts";
import type { RecallRequest } from "./request.ts";

export interface Question {
  text: string;
  kind: Kind;
  places: readonly SearchPlace[];
  recipe: Recipe;
  channels: Channels;
  limit: number;
  /** Passages are ranked by themselves, rather than items by their best one. */
  eachPassage: boolean;
  terms: readonly string[];
  /** Wordpieces of the terms; none where the vocabulary is missing. */
  pieces: readonly number[];
  dates: readonly DateMention[];
  mentions: Mentions;
  /** The first line of a report, which says most. */
  opening: string | null;
  /** Speakers of what is searched whom the question names. */
  speakers: readonly string[];
  /** Subjects of decisions that rest on evidence and that the question names, and how much of the question each is. */
  subjects: readonly { subject: string; share: number }[];
  /** Null where meaning does not count, or cannot be had. */
  vector: VectorQuery | null;
  openingVector: VectorQuery | null;
  /** Why the answer will be less than it could be. Later stages add to it. */
  problems: string[];
}

/** What counts. By words alone, or by meaning alone, nothing else does. */
export interface Channels {
  words: boolean;
  meaning: boolean;
  signals: boolean;
}

const CHANNELS: Record<Mode, Channels> = {
  hybrid: { words: true, meaning: true, signals: true },
  keyword: { words: true, meaning: false, signals: false },
  semantic: { words: false, meaning: true, signals: false },
};

type QuestionWorld = Pick<World, "settings"> & EmbedQuestionWorld & EmbedWaitingWorld;

/** One question for each kind that is in the places. */
export async function prepareQuestions(
  request: RecallRequest,
  places: readonly SearchPlace[],
  world: QuestionWorld,
): Promise<Question[]> {
  const { query: text, mode, limit, eachPassage = false } = request;
  const terms = queryTerms(text);
  const shared = {
    ...{ text, channels: CHANNELS[mode], limit, eachPassage, terms },
    pieces: await piecesOf(terms, world),
    dates: datesIn(text, world.clock.now()),
    mentions: mentionsIn(text),
  };
  const questions: Question[] = [];
  for (const [kind, own] of Map.groupBy(places, ({ shelf }) => kindOf(shelf, text, eachPassage))) {
    const question: Question = {
      ...{ ...shared, kind, places: own, recipe: recipeFor(kind, request.recipe, world.settings.recall) },
      opening: kind === "report" ? openingOf(text) : null,
      speakers: isTalk(kind) ? await speakersNamed(text, own) : [],
      subjects: isTalk(kind) ? await subjectsNamed(text, own) : [],
      ...{ vector: null, openingVector: null, problems: [] },
    };
    questions.push(question.channels.meaning ? await withVectors(question, world) : question);
  }
  return questions;
}

/** The same question where meaning finds nothing: everything else stands in for it. */
export const withoutMeaning = (question: Question): Question => ({
  ...question,
  channels: { words: true, meaning: false, signals: true },
  ...{ vector: null, openingVector: null, problems: [] },
});

async function withVectors(question: Question, world: QuestionWorld): Promise<Question> {
  const { places, channels, recipe, opening } = question;
  const { vector, problem } = await embedQuestion(textToEmbed(question), world);
  if (!vector) return { ...question, problems: problem === null ? [] : [problem] };
  const waiting = await embedWaiting(places, world);
  const hasOpening = opening !== null && channels.signals && recipe.weights.gist;
  return {
    ...question,
    vector,
    openingVector: hasOpening ? (await embedQuestion(opening, world)).vector : null,
    problems: waiting === 0 ? [] : [`${waiting} passages are not embedded yet: \`backfill\` embeds them`],
  };
}

function textToEmbed({ text, kind, speakers }: Question): string {
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
  // The vocabulary has one piece for all words it does not know: each would match every other unknown word.
  return [...new Set(pieces ?? [])].filter((piece) => piece !== UNKNOWN_PIECE);
}

async function speakersNamed(text: string, places: readonly SearchPlace[]): Promise<string[]> {
  const names = possibleNames(text);
  const found = await Promise.all(places.map(({ store, shelf }) => store.speakers(shelf, names)));
  return [...new Set(found.flat())];
}

async function subjectsNamed(text: string, places: readonly SearchPlace[]): Promise<Question["subjects"]> {
  const found = await Promise.all(
    [...new Set(places.map(({ store }) => store))].map((store) => store.subjectsOfEvidence()),
  );
  const asked = tellingStems(text);
  return [...new Set(found.flat())].filter(subjectsIn(text)).map((subject) => {
    const named = [...tellingStems(subject)].filter((stem) => asked.has(stem));
    return { subject, share: asked.size > 0 ? named.length / asked.size : 0 };
  });
}
