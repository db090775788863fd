/**
 * Prompts, and which memories of a project would help with each.
 *
 * Two stores of memories: those of the bench, written by hand, with questions near a topic that nothing answers; and
 * what capture takes from real sessions, asked with the messages of the commits that the sessions made. There, a memory
 * is right if it comes from the commit's session; without that session's memories, nothing answers.
 */
import { createHash } from "node:crypto";
import { foldSession, NEW_SESSION } from "../../src/logic/capture/fold-session.ts";
import { turnsIn } from "../../src/logic/text/turns.ts";
import type { SessionEvent } from "../../src/model/capture/session-event.ts";
import { type Document, type QuestionSet, readSet } from "../quality/data.ts";
import { EMPTY_PROMPTS } from "./empty-prompts.ts";

/** Used to choose the rule, or kept for the last look. */
export type Part = "chosen on" | "unseen";

export interface Case {
  prompt: string;
  group: string;
  part: Part;
  /** Documents that answer it. */
  gold: ReadonlySet<string>;
  /** Documents that are left out, as if they had never been stored. */
  without: ReadonlySet<string>;
  kind: "answered" | "nothing answers" | "empty";
}

export interface CaseSet {
  set: QuestionSet;
  cases: Case[];
}

/** No coefficient of relevance was fitted on these projects either. */
const UNSEEN_PROJECTS = ["clinic", "infra"];
const NONE: ReadonlySet<string> = new Set();

/** The memories of the bench. */
export function writtenMemories(): CaseSet {
  const set = readSet("memories");
  const partOf = (group: string): Part => (UNSEEN_PROJECTS.includes(group) ? "unseen" : "chosen on");
  const asked = [...set.questions, ...set.unanswered].map(({ id, text, group = "" }): Case => {
    const gold = set.gold.get(id) ?? NONE;
    const kind = gold.size > 0 ? "answered" : "nothing answers";
    return { prompt: text, group, part: partOf(group), gold, without: NONE, kind };
  });
  const groups = [...new Set(set.documents.map(({ group = "" }) => group))];
  const empty = groups.flatMap((group) => emptyCases(group, partOf(group)));
  return { set, cases: [...asked, ...empty] };
}

/** What capture takes from the sessions of one project. */
export function capturedMemories(): CaseSet {
  const sessions = readSet("entire-commit-session");
  const documents = sessions.documents.flatMap(memoriesOf);
  const gold = new Map<string, Set<string>>();
  const cases = sessions.questions.flatMap(({ id, text }): Case[] => {
    const own = sessions.gold.get(id)!;
    const right = new Set(documents.filter(({ session }) => own.has(session!)).map((document) => document.id));
    gold.set(id, right);
    const part: Part = isEven(id) ? "chosen on" : "unseen";
    const shared = { prompt: text, group: "", part };
    if (right.size === 0) return [];
    return [
      { ...shared, gold: right, without: NONE, kind: "answered" },
      { ...shared, gold: NONE, without: right, kind: "nothing answers" },
    ];
  });
  const empty = [...emptyCases("", "chosen on"), ...emptyCases("", "unseen")];
  return {
    set: { ...sessions, name: "captured-sessions", documents, gold, unanswered: [] },
    cases: [...cases, ...empty],
  };
}

const emptyCases = (group: string, part: Part): Case[] =>
  EMPTY_PROMPTS.filter((_, index) => (index % 2 === 0) === (part === "chosen on")).map((prompt) => ({
    ...{ prompt, group, part, gold: NONE, without: NONE, kind: "empty" as const },
  }));

function memoriesOf({ id, text }: Document): Document[] {
  const events = turnsIn(text).map(
    (turn, line): SessionEvent => ({
      ...{ line, at: null, branch: null, text: turn.text.replace(/^(?:USER|ASSISTANT): /gm, "").trim() },
      kind: turn.role === "user" ? "prompt" : "reply",
    }),
  );
  const { parts } = foldSession(NEW_SESSION, events, "session_end");
  const memories = parts.flatMap(({ ended }) => ended?.stretch.memories ?? []);
  return memories.map(({ type, content, files, symbols }, index) => ({
    ...{ id: `${id}/${index}`, session: id, text: content, files: files.slice(0, 20), symbols: symbols.slice(0, 20) },
    // A captured decision waits on a shelf of its own; here it is a memory like the others.
    type: type === "decision" ? "architecture" : type,
  }));
}

const isEven = (id: string): boolean => createHash("sha256").update(id).digest()[0]! % 2 === 0;
