/**
 * Space: one store, of a project or of the user.
 *
 * A project is identified by the real path of its git directory, or of its folder without git. Its remote and first
 * commit identify it after a move.
 */
export interface Space {
  id: string;
  /** The real path that identifies the project: the git common directory, else the folder. */
  key: string;
  root: string;
  remote: string | null;
  firstCommit: string | null;
  createdAt: number;
}

/** Presets of routing, by name. Their rules are in `memory/routing.ts`. */
export const ROUTING_PRESETS = ["default", "seed"] as const;
export type RoutingPreset = (typeof ROUTING_PRESETS)[number];
