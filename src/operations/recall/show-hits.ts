/** How searches show their hits, so that plain text, a terminal and an agent are told the same of them. */
import type * as z from "zod";
import type { Hit } from "../../model/recall/hit.ts";
import type { Reader } from "../operation.ts";
import type { HitsAnswer } from "./hits-answer.ts";
import { hitsForAgent } from "./hits-for-agent.ts";
import { hitsPage } from "./hits-page.ts";
import { nothingYet, renderHits } from "./render-hits.ts";
import { type Told, tellAll, tellRelevant } from "./told-hits.ts";

type Answer = Pick<z.output<typeof HitsAnswer>, "hits" | "degraded">;
type Asking = Reader<{ query?: string; question?: string; subject?: string; threshold?: number | null | undefined }>;

export interface HitsShown {
  /** The field with the words that are marked in what was found. */
  asks: "query" | "question" | "subject";
  /** When there are no hits: what to say, and a command worth trying. */
  nothing: string;
  next: string;
  /** Whether it is judged which hits answer; all are told as they are when omitted. */
  isJudged?: boolean;
}

export function showHits({ asks, nothing, next, isJudged = false }: HitsShown) {
  // Models write null for nothing.
  const toldOf = (hits: readonly Hit[], { input }: Asking): Told =>
    isJudged ? tellRelevant(hits, input.threshold ?? undefined) : tellAll(hits);
  const asText = (show: typeof renderHits) => (answer: Answer, reader: Asking) =>
    show(toldOf(answer.hits, reader), answer.degraded, nothingYet(answer.degraded) ?? nothing, reader.zone);
  return {
    render: asText(renderHits),
    renderForAgent: asText(hitsForAgent),
    page: ({ hits, degraded }: Answer, reader: Asking) =>
      hitsPage({ told: toldOf(hits, reader), degraded, question: reader.input[asks], nothing, next }, reader),
  };
}
