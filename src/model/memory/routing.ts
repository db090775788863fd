/** Presets of routing, by name. Their rules are in `logic/memory/routing.ts`. */
export const ROUTING_PRESETS = ["default", "seed"] as const;
export type RoutingPreset = (typeof ROUTING_PRESETS)[number];
