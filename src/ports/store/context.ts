/** Reads what sessions are handed: candidates for the surface, the surface as it was last made, and what was injected. */
import type { KeptSurface, SurfaceRun } from "../../model/context/surface.ts";

/** Selects memories that may be worth a line of the surface: a bounded number, however many there are. */
export interface SurfaceQuery {
  now: number;
  types: readonly string[];
  /** The project that looks; see `Filter`. */
  visibleIn?: string | undefined;
  /** How many of each type, those worth the most first. */
  ofEachType: number;
  newest: number;
  /** How many of the most linked ones, and of those read most often. */
  notable: number;
}

export interface SurfaceCandidates {
  /** Active, lasting memories that hold now, each once. */
  ids: string[];
  /** Those that were written last, newest first; among the others too. */
  newest: string[];
  /** Of any active memory. */
  mostAccesses: number;
}

export interface ContextReads {
  surfaceCandidates(query: SurfaceQuery): Promise<SurfaceCandidates>;
  /** As it was last made for this branch, fresh or not. */
  keptSurface(branch: string): Promise<KeptSurface | null>;
  /** Of all branches. */
  keptSurfaces(): Promise<Pick<KeptSurface, "branch" | "text">[]>;
  /** Newest first. */
  surfaceRuns(limit: number): Promise<SurfaceRun[]>;
  /** Ids and hashes of what this session has been given. */
  injectedIn(session: string): Promise<Set<string>>;
  /** The same with the time, earliest first. */
  injections(session: string): Promise<{ key: string; at: number }[]>;
}
