/**
 * The patterns of a context window: what somebody stated, then what was counted in the code, then what was only captured;
 * of each, those of the language of the work first.
 */
import type { Pattern } from "../../model/context/context-window.ts";
import { handleOf } from "../../model/memory/handle.ts";
import type { Item } from "../../model/memory/item.ts";
import { mainLanguage } from "../corpus/languages.ts";
import { marked, titledLine } from "./lines/window-line.ts";

const PATTERN_CHARACTERS = 200;

type Stating = Pick<Item, "id" | "content" | "title" | "source" | "createdAt" | "priority" | "confidence" | "context">;

/** The language of the work: of the latest working memory that has one or names files, else of most of the code. */
export function workLanguage(working: readonly Pick<Item, "context">[], codePaths: readonly string[]): string | null {
  for (const { context } of working) {
    const language = context.language ?? mainLanguage(context.files);
    if (language !== null) return language;
  }
  return mainLanguage(codePaths);
}

export function rankPatterns(
  stated: readonly Stating[],
  counted: readonly Pattern[],
  { language, limit }: { language: string | null; limit: number },
): Pattern[] {
  const worth = ({ priority, confidence }: Stating) => priority * confidence;
  const fromMemories = stated.toSorted((one, two) => worth(two) - worth(one) || two.createdAt - one.createdAt);
  const nearness = (pattern: Pattern) => (pattern.language === language ? 0 : pattern.language === null ? 1 : 2);
  const nearestFirst = (own: readonly Pattern[]) => own.toSorted((one, two) => nearness(one) - nearness(two));
  const isCaptured = ({ source }: Stating) => source === "extraction";
  return [
    ...nearestFirst(fromMemories.filter((one) => !isCaptured(one)).map(patternOf)),
    ...nearestFirst(counted),
    ...nearestFirst(fromMemories.filter(isCaptured).map(patternOf)),
  ].slice(0, limit);
}

function patternOf({ id, title, content, source, createdAt, context }: Stating): Pattern {
  const text = marked(titledLine({ title, content }, PATTERN_CHARACTERS), source);
  const language = context.language ?? mainLanguage(context.files);
  return {
    ...{ source: "memory", text, language, id, handle: handleOf(id), createdAt: new Date(createdAt).toISOString() },
    ...{ files: null, example: null },
  };
}
