/** Transcripts that hosts write of their sessions. */
import type { TranscriptHost, TypedPrompt } from "../model/capture/session-event.ts";

export interface TranscriptPart {
  /** Complete lines; an unfinished last line is left for another time. In a final file one without a line end is complete if it parses. */
  lines: string[];
  /** Bytes from the beginning of the file to the end of these lines. */
  offset: number;
  /** Lines too long to be read. */
  skipped: number;
  /** Nothing complete follows. */
  isEnd: boolean;
  /** Of the bytes just before the part, and just before its end: whether the file is still the same. */
  marks: { start: string; end: string };
}

export interface TranscriptFile {
  path: string;
  host: TranscriptHost;
  bytes: number;
  modifiedAt: number;
}

/** A transcript of a session in another folder than the project's, by its own words. */
export interface StrayTranscript {
  transcript: string;
  folder: string;
}

export interface Transcripts {
  /** Null if there is no such file or it cannot be read. */
  find(path: string): Promise<Pick<TranscriptFile, "path" | "bytes" | "modifiedAt"> | null>;
  /**
   * About `limitBytes` of lines from an offset; at least one line if there is one. Null if the file ends before the
   * offset: it is another one. Final: nothing more is expected to be written.
   */
  read(path: string, offset: number, limitBytes: number, file?: { isFinal: boolean }): Promise<TranscriptPart | null>;
  /** What the host noted of prompts of this session that something was pasted into; empty where it notes nothing. */
  typedIn(path: string, session: string): Promise<TypedPrompt[]>;
  /** Whether the session that it records was in this project, by its own words. */
  isOwn(path: string): Promise<boolean>;
  /** Null if the session was in this project, or does not say where. */
  strayOf(path: string): Promise<StrayTranscript | null>;
  /** Those that lie in a host's own folder for this project. */
  strays(limit: number): Promise<StrayTranscript[]>;
  /** Those of sessions in this project, newest first. */
  ofProject(limit: number): Promise<TranscriptFile[]>;
}
