/**
 * Hits on a terminal: the passage that matched, with the words of the question marked, and below it what it is.
 *
 * What only a program needs, such as the shares of the rankers, is left to `--json`.
 */
import { matchedPassage } from "../../engine/recall/matched-passage.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { type Paragraph, line, verbatim } from "../../model/text/paragraph.ts";
import { dayShown } from "../../model/time/day-shown.ts";
import { counted } from "../../model/text/count.ts";
import { titleApart } from "../../model/text/titled.ts";
import type { Reader } from "../operation.ts";
import {
  besideLines,
  codeLines,
  DECIDED,
  GUESS_BELOW,
  factsOf,
  isNothing,
  nothingYet,
  oneLine,
  pastLines,
  percent,
  placeOf,
  remarksOn,
} from "./render-hits.ts";
import type { Told } from "./told-hits.ts";

/** Shown whole up to this length; of a longer text, a part that takes about two rows. */
const WHOLE_CHARACTERS = 320;
const PASSAGE_CHARACTERS = 160;
const GUESS_CHARACTERS = 60;
const INDENT = 10;
/** What stands below a hit in plain text is indented already. */
const RENDERED_INDENT = 2;
const CODE_LINES = 8;
const UNBROKEN_SPACE = "\u00a0";

export interface HitsPage {
  told: Told;
  degraded: string | null;
  question: string | undefined;
  /** When there are no hits: what to say, and a command worth trying. */
  nothing: string;
  next: string;
}

export function hitsPage({ told, degraded, question, nothing, next }: HitsPage, reader: Reader<unknown>): Paragraph[] {
  const notes = remarksOn(told, degraded).map((text) => line(text, "fact"));
  const early = nothingYet(degraded);
  if (isNothing(told)) return [line(early ?? nothing), ...(early === null ? [line(next, "fact")] : []), ...notes];
  const { clear, guesses, lead, beside } = told;
  const shown = (hits: readonly Hit[]) => hits.flatMap((hit) => hitParagraphs(hit, question, reader));
  const session = beside.map((text, index) => line(text, index === 0 ? "name" : undefined, index === 0 ? 0 : 2));
  return [...shown(clear), ...session, ...(guesses.length > 0 ? [line(lead), ...shown(guesses)] : []), ...notes];
}

/** Code keeps its lines. */
function codeParagraphs(code: string): Paragraph[] {
  const lines = code.split("\n");
  const rest = lines.length - CODE_LINES;
  return [
    ...lines.slice(0, CODE_LINES).map((text) => verbatim(text, INDENT)),
    ...(rest > 0 ? [line(`… ${counted(rest, "more line")}`, "fact", INDENT)] : []),
  ];
}

function limitFor({ relevance, content }: Hit): number {
  if (relevance < GUESS_BELOW) return GUESS_CHARACTERS;
  return content.length <= WHOLE_CHARACTERS ? WHOLE_CHARACTERS : PASSAGE_CHARACTERS;
}

function hitParagraphs(hit: Hit, question: string | undefined, reader: Reader<unknown>): Paragraph[] {
  const content = hit.excerpt ?? hit.content;
  const { title, text: rest } = hit.path ? { title: placeOf(hit), text: content } : titleApart(hit.title, content);
  const text = matchedPassage(rest, question, limitFor(hit));
  // The place of a file is its name already.
  const own = hit.path ? [] : factsOf(hit, reader.zone, (iso) => dayShown(iso, reader));
  const facts = [
    ...own,
    percent(hit.relevance).replace(" ", UNBROKEN_SPACE),
    ...(hit.why["decision"] ? [DECIDED] : []),
  ];
  const isCode = hit.shelf === "code";
  return [
    ...besideLines(hit, reader.zone).map((one) => line(`${one}:`, "fact")),
    {
      spans: [
        { text: hit.handle, style: "handle" },
        { text: "  " },
        ...(title ? [{ text: title, style: "name" } as const, { text: isCode ? "" : ": " }] : []),
        ...(isCode ? [] : text),
      ],
      hang: INDENT,
    },
    ...(isCode ? codeParagraphs(hit.excerpt ?? hit.content) : []),
    line(facts.join(", "), "fact", INDENT),
    ...hit.contradicts.map(({ handle, why }) =>
      line(`contradicts decision ${handle}: ${oneLine(why)}`, "warning", INDENT),
    ),
    ...[...codeLines(hit.code), ...pastLines(hit, reader.zone)].map((text) =>
      verbatim(text, INDENT - RENDERED_INDENT, "fact"),
    ),
  ];
}
