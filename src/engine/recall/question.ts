/**
 * Prepares the question, once for each kind of item searched.
 *
 * Words, wordpieces and dates are the same for all kinds, but the embedded text is not: for
 * conversations the speakers' names are removed, and of a report only the gist is embedded.
 */
import { datesIn, type DateMention } from "../../logic/time/date-mentions.ts";
import { type Mentions, mentionsIn } from "../../logic/recall/mentions.ts";
import { gistOf, isTalk, kindOf, openingOf, possibleNames, withoutNames } from "../../logic/recall/question-form.ts";
import { type Recipe, recipeFor } from "../../logic/recall/recipes.ts";
import { subjectsIn } from "../../logic/decisions/subject.ts";
import { UNKNOWN_PIECE } from "../../logic/text/wordpiece.ts";
import { queryTerms, tellingStems } from "../../logic/text/words.ts";
import type { Kind, Mode } from "../../model/recall/ranking.ts";
import type { VectorQuery } from "../../model/recall/search.ts";
import { counted } from "../../model/text/count.ts";
import type { Zone } from "../../model/time/zone.ts";
import type { World } from "../../ports/world.ts";
import { type EmbedQuestionWorld, embedQuestion } from "./embed-question.ts";
import { embedRemotely } from "./embed-remotely.ts";
import { type EmbedWaitingWorld, embedWaiting } from "./embed-waiting.ts";
import type { SearchPlace } from "./places.ts";
import type { RecallRequest } from "./request.ts";

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
    ...{ text, channels: CHANNELS[mode], limit, eachPassage, terms },
    pieces: await piecesOf(terms, world),
    dates: datesIn(text, world.clock.now(), world.zone),
    zone: world.zone,
    mentions: mentionsIn(text),
  };
  const questions: KindQuestion[] = [];
  for (const [kind, own] of Map.groupBy(places, ({ shelf }) => kindOf(shelf, text, eachPassage))) {
    const question: KindQuestion = {
      ...{ ...shared, kind, places: own, recipe: recipeFor(kind, request.recipe, world.settings.recall) },
      opening: kind === "report" ? openingOf(text) : null,
      speakers: isTalk(kind) ? await speakersNamed(text, own) : [],
      subjects: isTalk(kind) ? await subjectsNamed(text, own) : [],
      ...{ vector: null, remoteVector: null, openingVector: null, problems: [] },
    };
    questions.push(question.channels.meaning ? await withVectors(question, world) : question);
  }
  return questions;
}

/** The fallback for a question whose meaning finds nothing: the same question by everything else. */
export const withoutMeaning = (question: KindQuestion): KindQuestion => ({
  ...question,
  channels: { words: true, meaning: false, signals: true },
  ...{ vector: null, remoteVector: null, openingVector: null, problems: [] },
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
