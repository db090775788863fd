/** How searches show their hits, so that plain text, a terminal and an agent are told the same of them. */
import type * as z from "zod";
import type { Reader } from "../operation.ts";
import type { HitsAnswer, WithSession } from "./hits-answer.ts";
import { hitsForAgent } from "./hits-for-agent.ts";
import { hitsPage } from "./hits-page.ts";
import { nothingYet, renderHits } from "./render-hits.ts";
import { type Told, tellAll, tellRelevant } from "./told-hits.ts";

type Answer = Pick<z.output<typeof HitsAnswer>, "hits" | "degraded"> & {
  session?: z.output<typeof WithSession>["session"];
};
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
  const toldOf = ({ hits, session }: Answer, { input }: Asking): Told => ({
    // Models write null for nothing.
    ...(isJudged ? tellRelevant(hits, input.threshold ?? undefined) : tellAll(hits)),
    beside: session?.lines ?? [],
  });
  const asText = (show: typeof renderHits) => (answer: Answer, reader: Asking) =>
    show(toldOf(answer, reader), answer.degraded, nothingYet(answer.degraded) ?? nothing, reader.zone);
  return {
    render: asText(renderHits),
    renderForAgent: asText(hitsForAgent),
    page: (answer: Answer, reader: Asking) =>
      hitsPage(
        { told: toldOf(answer, reader), degraded: answer.degraded, question: reader.input[asks], nothing, next },
        reader,
      ),
  };
}
