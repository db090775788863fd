/**
 * Verbs of change, as something that was done, by what happens to the thing they name. Folded; some have a particle.
 *
 * "Deleted" is none of them: data is deleted every day, and nothing has changed.
 */

/** The thing named is gone: "dropped X", "X was phased out". */
export const GIVING_UP: readonly string[] = [
  ...listed(
    "abandoned abolished decommissioned deprecated discontinued ditched dropped removed replaced retired scrapped",
    "sunset sunsetted superseded swapped left ended",
  ),
  ...["phased out", "thrown out", "shut down", "rolled back"],
];

/** One thing is left for another: "moved from X to Y". */
export const MOVING: readonly string[] = listed(
  "moved migrated switched ported relocated transitioned converted changed renamed upgraded downgraded shifted",
);

/** The thing stays and is different. */
export const ALTERING: readonly string[] = [
  ...listed(
    "updated bumped raised lowered increased decreased reduced lifted extended shortened reworked rewritten grown shrunk",
    "become revised doubled halved tripled rescheduled postponed delayed reverted reinstated restored cancelled canceled",
    "promoted rebased fixed resolved expired tightened loosened relaxed reassigned rebuilt redesigned rebranded rerouted",
    "reconfigured relicensed restructured reorganised reorganized trimmed slashed introduced adopted",
  ),
  ...["taken over", "handed over", "brought forward", "brought back", "pushed back", "scaled up", "scaled down"],
  ...["rolled out"],
];

export const CHANGE_VERBS: readonly string[] = [...GIVING_UP, ...MOVING, ...ALTERING];

/** These describe a thing as often as they tell a change: removed rows, expired tokens. */
const DESCRIBING: ReadonlySet<string> = new Set(
  listed(
    "removed left ended shifted shortened shrunk grown become revised doubled halved tripled rescheduled postponed delayed",
    "reverted reinstated restored cancelled canceled promoted rebased fixed resolved expired tightened loosened relaxed",
    "trimmed introduced adopted reassigned rebuilt rerouted reconfigured",
  ),
);

/** Single words that tell a change and nothing else; those with a particle are often something else without it. */
export const ONLY_CHANGING: readonly string[] = [
  ...CHANGE_VERBS.filter((verb) => !verb.includes(" ") && !DESCRIBING.has(verb)),
  ...["phased", "thrown"],
];

function listed(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split(" "));
}
