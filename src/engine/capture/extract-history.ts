/** Reads the sessions that this project had before Stele was there, newest first. */
import type { TranscriptFile } from "../../ports/transcripts.ts";
import type { World } from "../../ports/world.ts";
import { EXTRACTOR } from "./absorb.ts";
import { type Extracted, cleanStray, extract } from "./extract.ts";

export interface HistoryRead extends Omit<Extracted, "checkpoint" | "isOpen"> {
  /** Sessions that were read now. */
  sessions: number;
  /** Sessions left for another call. */
  left: number;
}

/** More are never listed. */
const HISTORY_MOST = 1_000;
const STRAYS_MOST = 100;

export interface HistoryRequest {
  /** How many sessions to read. */
  limit: number;
  isStopped?: () => boolean;
}

/** A session that was read to its end needs no second look. */
async function isRead({ path, bytes }: TranscriptFile, { project }: Pick<World, "project">): Promise<boolean> {
  const known = await project.checkpoint(path);
  return known !== null && known.offset >= bytes && !known.isOpen;
}

export async function extractHistory(
  { limit, isStopped = () => false }: HistoryRequest,
  world: World,
): Promise<HistoryRead> {
  const files: TranscriptFile[] = [];
  for (const file of await world.transcripts.ofProject(HISTORY_MOST))
    if (!(await isRead(file, world))) files.push(file);
  const taken = files.slice(0, limit);
  const quiet = { ...world, progress: { report: () => undefined } };
  const answer: HistoryRead = {
    ...{ memories: [], proposals: [], evidence: 0, skippedLines: 0, error: null, extractor: EXTRACTOR },
    ...{ sessions: 0, left: files.length },
    strays: (await world.transcripts.strays(STRAYS_MOST)).map(cleanStray),
  };
  for (const { path } of taken) {
    if (isStopped()) break;
    world.progress.report(answer.sessions, taken.length, "Reading sessions");
    const read = await extract({ path, isStopped }, quiet);
    answer.memories.push(...read.memories);
    answer.proposals.push(...read.proposals);
    answer.evidence += read.evidence;
    answer.skippedLines += read.skippedLines;
    answer.error ??= read.error;
    answer.sessions += 1;
    answer.left -= 1;
  }
  world.progress.report(taken.length, taken.length, "Reading sessions");
  return answer;
}
