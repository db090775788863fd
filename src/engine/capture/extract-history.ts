/** Reads the sessions that this project had before Stele was there, newest first. */
import type { World } from "../../ports/world.ts";
import { type Extracted, extract } from "./extract.ts";

export interface HistoryRead extends Omit<Extracted, "checkpoint" | "isOpen"> {
  /** Sessions that were read, or had been before. */
  sessions: number;
  /** Sessions left for another call. */
  left: number;
}

export async function extractHistory(limit: number, world: World): Promise<HistoryRead> {
  const files = await world.transcripts.ofProject(HISTORY_MOST);
  const taken = files.slice(0, limit);
  const quiet = { ...world, progress: { report: () => undefined } };
  const answer: HistoryRead = {
    ...{ memories: [], proposals: [], evidence: 0, skippedLines: 0, error: null, extractor: "" },
    ...{ sessions: taken.length, left: files.length - taken.length },
  };
  for (const [index, { path }] of taken.entries()) {
    world.progress.report(index, taken.length, "Reading sessions");
    const read = await extract({ path }, quiet);
    answer.memories.push(...read.memories);
    answer.proposals.push(...read.proposals);
    answer.evidence += read.evidence;
    answer.skippedLines += read.skippedLines;
    answer.extractor = read.extractor;
    answer.error ??= read.error;
  }
  world.progress.report(taken.length, taken.length, "Reading sessions");
  return answer;
}

const HISTORY_MOST = 1_000;
