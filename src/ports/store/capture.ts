/** Reads what is noted of sessions, and how far their transcripts have been read. */
import type { Checkpoint } from "../../model/capture/checkpoint.ts";
import type { SessionOutline } from "../../model/capture/session-outline.ts";
import type { SessionTrace } from "../../model/capture/session-trace.ts";
import type { RecordKind, SessionRecord } from "../../model/capture/session-record.ts";

/** Selects events. An absent field means no restriction. */
export interface EventQuery {
  ids?: readonly string[];
  session?: string;
  kinds?: readonly RecordKind[];
  /** Only events at or after this time. */
  since?: number;
  /** Only events before this time. */
  before?: number;
}

export interface CaptureCounts {
  events: number;
  checkpoints: number;
  /** Null if there is no event. */
  lastEventAt: number | null;
}

export interface EvidenceSize {
  items: number;
  /** As stored: archived evidence is compressed. */
  bytes: number;
}

export interface CaptureReads {
  /** The sessions of the last events, changes and memories, each bounded; what was extracted later is no trace. */
  sessionTraces(): Promise<SessionTrace[]>;
  /** Sessions that left something before this time, the last first; of each kind of trace only the latest are looked at. */
  sessionOutlines(page: { before: number; limit: number }): Promise<SessionOutline[]>;
  /** Which of these events are noted already. */
  knownEvents(ids: readonly string[]): Promise<Set<string>>;
  /** Newest first. */
  events(query: EventQuery & { limit: number }): Promise<SessionRecord[]>;
  /** All events, by id. */
  walkEvents(page: { after: string; limit: number }): Promise<SessionRecord[]>;
  /** All checkpoints, by transcript. */
  walkCheckpoints(page: { after: string; limit: number }): Promise<Checkpoint[]>;
  eventCount(query: EventQuery): Promise<number>;
  checkpoint(transcript: string): Promise<Checkpoint | null>;
  /** The transcripts of open checkpoints that were last saved before this time, oldest first. */
  openCheckpoints(before: number, limit: number): Promise<string[]>;
  captureCounts(): Promise<CaptureCounts>;
  /** Evidence that was added at or after this time, active or archived. */
  evidenceSize(since: number): Promise<EvidenceSize>;
  /** Whether all evidence takes fewer bytes than this. It is counted only if nothing cheaper tells. */
  isEvidenceBelow(bytes: number): Promise<boolean>;
  /** The sessions in which these items were written, as far as this store knows. */
  sessionsOf(ids: readonly string[]): Promise<string[]>;
}
