/**
 * Hits on a terminal: the passage that matched, with the words of the question marked, and below it what it is.
 *
 * What only a program needs, such as the shares of the rankers, is left to `--json`.
 */
import { matchedPassage } from "../../engine/recall/matched-passage.ts";
import type { Hit } from "../../model/recall/hit.ts";
import { type Paragraph, line, verbatim } from "../../model/text/paragraph.ts";
import { counted } from "../../model/text/count.ts";
import { titleApart } from "../../model/text/titled.ts";
import { dayShown } from "../day-shown.ts";
import type { Reader } from "../operation.ts";
import {
  codeLines,
  DECIDED,
  GUESS_BELOW,
  factsOf,
  nothingYet,
  oneLine,
  pastLines,
  percent,
  placeOf,
} from "./render-hits.ts";
import { NEAREST, UNCLEAR, isUnclear } from "./told-hits.ts";

/** Shown whole up to this length; of a longer text, a part that takes about two rows. */
const WHOLE_CHARACTERS = 320;
const PASSAGE_CHARACTERS = 160;
const GUESS_CHARACTERS = 60;
const INDENT = 10;
/** What the answer says in one word, a person is told in full. */
const [READ_ONLY, UNWRITABLE] = [/^read-only/, "read-only: the data folder cannot be written"];
/** What stands below a hit in plain text is indented already. */
const RENDERED_INDENT = 2;
const CODE_LINES = 8;
const UNBROKEN_SPACE = "\u00a0";

export interface HitsPage {
  hits: readonly Hit[];
  degraded: string | null;
  question: string | undefined;
  /** When there are no hits: what to say, and a command worth trying. */
  nothing: string;
  next: string;
  /** Hits below this are only counted; all are shown when omitted. */
  least?: number | undefined;
  /** Whether it is said if no hit clearly answers. */
  judged?: boolean;
}

export function hitsPage(
  { hits: all, degraded, question, nothing, next, least = 0, judged = false }: HitsPage,
  reader: Reader<unknown>,
): Paragraph[] {
  const hits = all.filter(({ relevance }) => relevance >= least);
  const guesses = all.length - hits.length;
  const omitted = `${counted(guesses, "guess", "guesses")} below ${percent(least)} not shown; \`--threshold 0\` shows all`;
  const note = [
    ...(guesses > 0 ? [line(omitted, "fact")] : []),
    ...(degraded ? [line(`(${degraded.replace(READ_ONLY, UNWRITABLE)})`, "fact")] : []),
  ];
  const early = nothingYet(degraded);
  const isVague = judged && isUnclear(all);
  const none = early ?? (isVague ? UNCLEAR : nothing);
  if (hits.length === 0) return [line(none), ...(early === null ? [line(next, "fact")] : []), ...note];
  return [...(isVague ? [line(NEAREST)] : []), ...hits.flatMap((hit) => hitParagraphs(hit, question, reader)), ...note];
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
  const own = hit.path ? [] : factsOf(hit, (iso) => dayShown(iso, reader));
  const facts = [
    ...own,
    percent(hit.relevance).replace(" ", UNBROKEN_SPACE),
    ...(hit.why["decision"] ? [DECIDED] : []),
  ];
  const isCode = hit.shelf === "code";
  return [
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
    ...[...codeLines(hit.code), ...pastLines(hit)].map((text) => verbatim(text, INDENT - RENDERED_INDENT, "fact")),
  ];
}
