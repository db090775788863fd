/**
 * A question, prepared once for each kind of thing that is searched.
 *
 * Words, wordpieces and dates are the same for all; what is embedded is not: in talk the
 * names of those who speak are left out, of a report only the gist is read.
 */
import { datesIn, type DateMention } from "../../logic/recall/dates.ts";
import { type Mentions, mentionsIn } from "../../logic/recall/mentions.ts";
import { gistOf, isReport, openingOf, possibleNames, withoutNames } from "../../logic/recall/question-form.ts";
import { subjectsIn } from "../../logic/decisions/subject.ts";
import { UNKNOWN_PIECE } from "../../logic/text/wordpiece.ts";
import { queryTerms, tellingStems } from "../../logic/text/words.ts";
import type { Kind } from "../../model/recall/ranking.ts";
import type { Shelf } from "../../model/memory/shelf.ts";
import type { World } from "../../ports/world.ts";
import type { Place } from "./gather.ts";

export interface Asked {
  kind: Kind;
  places: readonly Place[];
  query: string;
  terms: string[];
  /** Wordpieces of the terms; none where the vocabulary is missing. */
  pieces: number[];
  dates: DateMention[];
  mentions: Mentions;
  /** Those who speak in what is searched and are named in the question. */
  speakers: string[];
  /** Subjects of decisions that the question names and that evidence speaks to, and how much of the question each is. */
  subjects: { subject: string; share: number }[];
  /** What is embedded. */
  meaning: string;
  opening: string | null;
}

/** What lies on a shelf, as a ranking sees it. */
function kindOf(shelf: Shelf, query: string, eachPassage: boolean): Kind {
  if (shelf === "evidence") return eachPassage ? "conversation" : "session";
  if (shelf === "document") return "prose";
  if (shelf === "code") return isReport(query) ? "report" : "code";
  return "memory";
}

export const isTalk = (kind: Kind): boolean => kind === "conversation" || kind === "session";

/** One question for each kind that is among the places. */
export async function askEach(
  query: string,
  places: readonly Place[],
  eachPassage: boolean,
  world: World,
): Promise<Asked[]> {
  const terms = queryTerms(query);
  const pieces = await piecesOf(terms, world);
  const dates = datesIn(query, world.clock.now());
  const mentions = mentionsIn(query);
  const kinds = Map.groupBy(places, ({ shelf }) => kindOf(shelf, query, eachPassage));
  return Promise.all(
    [...kinds].map(async ([kind, own]) => {
      const speakers = isTalk(kind) ? await speakersNamed(query, own) : [];
      const subjects = isTalk(kind) ? await subjectsNamed(query, own) : [];
      const isLong = kind === "report";
      const meaning = isTalk(kind) ? withoutNames(query, speakers) : isLong ? gistOf(query) : query;
      return {
        kind,
        places: own,
        query,
        terms,
        pieces,
        dates,
        mentions,
        speakers,
        subjects,
        meaning,
        opening: isLong ? openingOf(query) : null,
      };
    }),
  );
}

async function piecesOf(terms: readonly string[], { tokenizer, log }: World): Promise<number[]> {
  const [pieces] = await tokenizer.encode([terms.join(" ")]).catch((thrown: Error) => {
    log.warn(`wordpieces are missing: ${thrown.message}`);
    return [];
  });
  // What the vocabulary does not know is all one piece to it, and would meet every other unknown word.
  return [...new Set(pieces ?? [])].filter((piece) => piece !== UNKNOWN_PIECE);
}

async function speakersNamed(query: string, places: readonly Place[]): Promise<string[]> {
  const names = possibleNames(query);
  const found = await Promise.all(places.map(({ store, shelf }) => store.speakers(shelf, names)));
  return [...new Set(found.flat())];
}

async function subjectsNamed(query: string, places: readonly Place[]): Promise<Asked["subjects"]> {
  const found = await Promise.all(
    [...new Set(places.map(({ store }) => store))].map((store) => store.subjectsOfEvidence()),
  );
  const asked = tellingStems(query);
  return [...new Set(found.flat())].filter(subjectsIn(query)).map((subject) => {
    const named = [...tellingStems(subject)].filter((stem) => asked.has(stem));
    return { subject, share: asked.size > 0 ? named.length / asked.size : 0 };
  });
}
