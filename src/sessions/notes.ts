/**
 * The notes of a session: at most twelve passages of what the agent wrote, in its own words, the most telling first.
 *
 * Where a thing is said tells most: the last message before the next prompt sums up, one after a failure explains. A few
 * cues of plain English add that a sentence gives a reason, a rule or a change; none says what is meant. A sentence often
 * lacks its subject, so neighbours stay together, and the first keeps the heading that they stand under.
 */
import { contentHash } from "../text/content-hash.ts";
import { cut } from "../text/short-text.ts";
import { fold, sharedPart, tellingStems, words } from "../text/words.ts";
import { type Note, NOTE_CHARACTERS, NOTES_MOST } from "./card.ts";
import { blocksOf, sentencesIn } from "./picks.ts";
import type { Part, SessionTurn } from "./turns.ts";

/** Whether a sentence repeats what a tool printed or the person pasted, if not word for word. */
type IsQuoted = (sentence: string) => boolean;

/** Of a message, half from each end: a report says most there. */
const READ_CHARACTERS = 16_000;
const SHORTEST_SENTENCE = 8;
/** Shorter ones explain nothing alone. */
const SHORTEST_TELLING = 30;
/** Beside names in code marks. */
const SHORTEST_PROSE = 20;
const SHORTEST_NOTE = 70;
/** Shorter ones come last: they seldom say all of a thing. */
const SHORTEST_FULL_NOTE = 120;
const WIDEST = 6;
const CONSIDERED = 250;
/** Of what a further sentence of a window is worth. */
const FURTHER = 0.8;
/** What it is worth to speak of what the whole session speaks of. */
const CENTRAL = 4;
/** What it costs to say only what a chosen note says, where the best worth is 1. */
const ALIKE = 2 / 3;

/** Causes, reasons, rules, choices, what is left, limits, changes, workings. */
const CUES: readonly (readonly [worth: number, cue: RegExp])[] = [
  [3, /\b(?:root cause|turns out|caused by|(?:issue|problem|bug|culprit|cause|reason|fix) (?:is|was))\b/i],
  [
    2,
    /\b(?:because|since (?:the|it|we|this)|which means|so that|this (?:means|causes|ensures|prevents)|due to|therefore)\b/i,
  ],
  [2, /\b(?:must|always|never|needs? to|requires?|cannot|do not|(?:should|do|does|ca|must)n[’']t)\b/i],
  [2, /\b(?:instead of|rather than|decided|decision|intentional(?:ly)?|by design|on purpose|deliberately)\b/i],
  [
    1.5,
    /\b(?:follow-?up|todo|deferred|later|remaining|still (?:needs?|to)|out of scope|open (?:item|question)|future)\b/i,
  ],
  [1.5, /\b(?:only|except|unless|edge case|gotcha|caveat|note|important|key|pre-existing)\b/i],
  [
    1.5,
    /\b(?:added|removed|replaced|changed|updated|implemented|created|moved|renamed|extracted|pushed|committed|merged)\b/i,
  ],
  [1, /\b(?:uses?|calls?|returns?|reads?|writes?|stores?|handles?|checks?|skips?|falls? back)\b/i],
];
/** Announces the agent's next step, or asks the person. */
const PASSING =
  /\?$|^(?:(?:now|next|first|then|and|so|but|also|ok(?:ay)?|good|great|perfect|sure|yes|done)\b[,.!:; —-]*)*(?:let me|let[’']s|i[’']ll|i will|want me|would you|shall i|should i|do you want|checking|running|looking)\b/i;
const NAMED = /`[^`]+`|\b\w+\(\)|\b[a-z]+[A-Z]\w+|\b[\w-]+(?:[./][\w-]+)+\b|\b[A-Z]{2,}-\d+\b|#\d+/g;
const NAMED_MOST = 3;

/** Where a message stands, and what that is worth to each of its sentences. */
const PLACES = { closing: 1.5, explaining: 1, summary: 0.5, passing: 0 };

interface Message {
  text: string;
  at: number | null;
  place: keyof typeof PLACES;
}

interface NoteSentence {
  text: string;
  heading: string;
  isItem: boolean;
}

/** Neighbouring sentences of a message. */
interface Window {
  text: string;
  at: number | null;
  sentences: readonly NoteSentence[];
  worth: number;
}

export function notesOf(
  session: string,
  turns: readonly SessionTurn[],
  { isQuoted = () => false }: { isQuoted?: IsQuoted } = {},
): Note[] {
  const parts = turns.flatMap((turn) => turn.parts);
  const others = parts.filter(({ label }) => label !== "agent");
  const theirs = new Set(others.flatMap(({ text }) => sentencesOf(text).flatMap((one) => keysOf(one.text))));
  const isTheirs = (text: string) => keysOf(text).every((key) => theirs.has(key)) || isQuoted(text);
  const said = new Set<string>();
  const isNew = ({ text }: NoteSentence) => said.size < said.add(keysOf(text).join(" ")).size;
  const messages = messagesOf(parts);
  const windows = messages.flatMap((message, index) => {
    const sentences = sentencesOf(message.text).filter((one) => isNew(one) && !isTheirs(one.text));
    const own = sentences.map((one) => (isTheirs(one.heading) ? { ...one, heading: "" } : one));
    return windowsOf(own, message).map((one) => ({ ...one, worth: one.worth + index / messages.length }));
  });
  const paths = new Set(parts.flatMap(({ call }) => call?.path ?? []));
  return chosen(windows).map(({ text, at }) => {
    return { id: contentHash(`${session}\n${text}`).slice(0, 16), text, at, files: filesIn(text, paths) };
  });
}

/** The same for the same words, however they are set; one for each sentence. */
const keysOf = (text: string): string[] =>
  sentencesIn(text).map((sentence) =>
    sentence
      .toLowerCase()
      .replace(/[\s"'`*.:]+/g, " ")
      .trim(),
  );

/** What the agent wrote, by what stands around it, however the parts are divided into turns. */
function messagesOf(parts: readonly Part[]): Message[] {
  const messages: Message[] = [];
  let isAfterFailure = false;
  /** Closes its turn, unless a tool is called or another message follows. */
  let last: Message | null = null;
  for (const { label, text, at, call, written } of parts) {
    if (label === "tool") {
      isAfterFailure ||= call?.failed === true;
      last = null;
    } else if (label !== "agent") {
      if (last !== null) last.place = "closing";
      last = null;
    } else if (written !== "title") {
      const place = written === "compaction" ? "summary" : isAfterFailure ? "explaining" : "passing";
      const message: Message = { text, at, place };
      messages.push(message);
      if (written === undefined) [isAfterFailure, last] = [false, message];
    }
  }
  if (last !== null) last.place = "closing";
  return messages;
}

/** Somebody else's words. */
const QUOTATION = /^(?:>|["“])/;

/** An item or a row that fits is one sentence. */
function sentencesOf(message: string): NoteSentence[] {
  const half = READ_CHARACTERS / 2;
  const read = message.length <= READ_CHARACTERS ? message : `${message.slice(0, half)}\n\n${message.slice(-half)}`;
  const sentences = blocksOf(read).flatMap(({ text, heading, kind }) => {
    if (QUOTATION.test(text)) return [];
    const isItem = kind !== "prose";
    const parts = isItem && text.length <= NOTE_CHARACTERS ? [text] : sentencesIn(text);
    return parts.flatMap(piecesOf).map((piece) => ({ text: piece, heading, isItem }));
  });
  // What a colon announces is an item, or was code.
  return sentences.filter(
    ({ text }, index) => text.length >= SHORTEST_SENTENCE && (!text.endsWith(":") || sentences[index + 1]?.isItem),
  );
}

function piecesOf(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence;
  while (rest.length > NOTE_CHARACTERS) {
    const space = rest.lastIndexOf(" ", NOTE_CHARACTERS);
    const piece = cut(rest, space > NOTE_CHARACTERS / 4 ? space : NOTE_CHARACTERS);
    pieces.push(piece);
    rest = rest.slice(piece.length).trim();
  }
  return [...pieces, rest];
}

function worthOf(text: string): number {
  const prose = text.replace(/`[^`]*`/g, "");
  if (text.length < SHORTEST_TELLING || prose.length < SHORTEST_PROSE || text.endsWith(":")) return 0;
  const cues = CUES.reduce((sum, [worth, cue]) => sum + (cue.test(text) ? worth : 0), 0);
  return cues + Math.min(NAMED_MOST, new Set(text.match(NAMED)).size) + Math.min(text.length, 240) / 120;
}

function windowsOf(sentences: readonly NoteSentence[], { at, place }: Message): Window[] {
  const worths = sentences.map(({ text }) => worthOf(text) + PLACES[place]);
  const isPassing = sentences.map(({ text }) => PASSING.test(text));
  return sentences.flatMap(({ text: first, heading }, from) => {
    const windows: Window[] = [];
    const headed = heading === "" ? first : `${heading}: ${first}`;
    let text = headed.length <= NOTE_CHARACTERS ? headed : first;
    let worth = worths[from]!;
    for (let to = from; to < Math.min(sentences.length, from + WIDEST) && !isPassing[to]; to += 1) {
      const { text: last, isItem, heading: under } = sentences[to]!;
      if (to > from) {
        // Under another heading it may say the opposite.
        const isApart = under !== sentences[to - 1]!.heading;
        const told = isApart && under !== "" ? `${under}: ${last}` : last;
        text += `${/[.!?:;,]$/.test(text) ? "" : isItem && !isApart ? ";" : "."} ${told}`;
        worth += FURTHER * worths[to]!;
      }
      if (text.length > NOTE_CHARACTERS) break;
      if (text.length >= SHORTEST_NOTE && !last.endsWith(":"))
        windows.push({ text, at, sentences: sentences.slice(from, to + 1), worth });
    }
    return windows;
  });
}

/**
 * The best windows that share no sentence: each next one is worth much, has words that the whole session speaks of, and
 * few of those that the chosen ones have.
 */
function chosen(windows: readonly Window[]): Window[] {
  const best = [...windows].sort((one, two) => two.worth - one.worth).slice(0, CONSIDERED);
  const sentences = [...new Set(best.flatMap((window) => window.sentences))];
  const stems = new Map(sentences.map((one) => [one, tellingStems(`${one.heading} ${one.text}`)]));
  const counts = countsOf(stems.values());
  const words = best.map((window) => new Set(window.sentences.flatMap((one) => [...stems.get(one)!])));
  const worths = best.map(({ worth }, index) => worth + CENTRAL * centrality(words[index]!, counts));
  const lowest = Math.min(...worths);
  const range = Math.max(...worths) - lowest || 1;
  const isShort = ({ text }: Window) => text.length < SHORTEST_FULL_NOTE;
  const likest = best.map(() => 0);
  const open = new Set(best.keys());
  const notes: Window[] = [];
  while (notes.length < NOTES_MOST && open.size > 0) {
    const score = (at: number) => (worths[at]! - lowest) / range - ALIKE * likest[at]! - (isShort(best[at]!) ? 2 : 0);
    const next = [...open].reduce((one, other) => (score(other) > score(one) ? other : one));
    const note = best[next]!;
    notes.push(note);
    for (const at of open) {
      if (best[at]!.sentences.some((one) => note.sentences.includes(one))) open.delete(at);
      else likest[at] = Math.max(likest[at]!, sharedPart(words[at]!, words[next]!));
    }
  }
  return notes;
}

type Words = ReadonlySet<string>;

function countsOf(texts: Iterable<Words>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const words of texts) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** How often its words occur elsewhere, from 0 to 2. */
const centrality = (words: Words, counts: ReadonlyMap<string, number>): number =>
  [...words].reduce((sum, word) => sum + Math.min(2, Math.log2(counts.get(word)!)), 0) / Math.max(1, words.size);

const PATH = /(?<![\w/:.@-])(?:~|\.{1,2})?\/?[\w@-][\w@.-]*(?:\/[\w@.-]+)*\.[a-z]\w{0,9}(?![\w/(])/gi;

/** A file that the session's tools were given, if one name means only it; else a path as it is written. */
function filesIn(text: string, paths: ReadonlySet<string>): string[] {
  const named = (text.match(PATH) ?? []).flatMap((written) => {
    const end = written.replace(/^\.\//, "");
    const known = [...paths].filter((path) => path === end || path.endsWith(`/${end}`));
    return known.length === 1 ? known : end.includes("/") ? [end] : [];
  });
  return [...new Set(named)];
}

/** In the order of the words that they share with a prompt, rare ones counting more; ties latest first. */
export function notesFor(notes: readonly Note[], prompt: string): Note[] {
  const asked = tellingStems(prompt);
  const words = new Map(notes.map((note) => [note, tellingStems(note.text)]));
  const counts = countsOf(words.values());
  const weightOf = (word: string) => (asked.has(word) ? Math.log(1 + notes.length / counts.get(word)!) : 0);
  const shared = new Map(
    notes.map((note) => [note, [...words.get(note)!].reduce((sum, word) => sum + weightOf(word), 0)]),
  );
  return notes.toSorted((one, two) => shared.get(two)! - shared.get(one)! || (two.at ?? 0) - (one.at ?? 0));
}

/**
 * Tells an agent's own sentences from those that it read out: most five-word runs of a quotation occur in what its
 * tools printed, or in what was pasted.
 */
const RUN_WORDS = 5;
const QUOTED_SHARE = 1 / 3;

/** Hashes of the five-word runs of some texts. Made once for a session. */
export function runsOf(texts: Iterable<string>): ReadonlySet<number> {
  const runs = new Set<number>();
  for (const text of texts) for (const run of hashedRuns(text)) runs.add(run);
  return runs;
}

/** A sentence of fewer words is never a quotation. */
export function isQuotedFrom(runs: ReadonlySet<number>, sentence: string): boolean {
  const own = hashedRuns(sentence);
  const known = own.filter((run) => runs.has(run)).length;
  return known > 0 && known >= own.length * QUOTED_SHARE;
}

function hashedRuns(text: string): number[] {
  const hashes = words(text).map((word) => hashed(fold(word)));
  const runs: number[] = [];
  for (let start = 0; start + RUN_WORDS <= hashes.length; start += 1) {
    let run = 0;
    for (let index = start; index < start + RUN_WORDS; index += 1)
      run = (Math.imul(run, 0x01000193) ^ hashes[index]!) | 0;
    runs.push(run);
  }
  return runs;
}

/** FNV-1a. */
function hashed(word: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < word.length; index += 1) hash = Math.imul(hash ^ word.charCodeAt(index), 0x01000193);
  return hash;
}
