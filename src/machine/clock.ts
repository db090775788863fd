/** The system clock. */
import { Failure } from "../errors.ts";
import { UTC, type Zone, zoneNamed } from "../time/calendar.ts";
import type { Clock } from "../world.ts";

export const systemClock: Clock = { now: () => Date.now() };

/**
 * The person's zone: the one that the settings name, else the system's.
 *
 * Loading the data of zones takes tens of milliseconds, so it happens on first use; the system's offsets need none of it.
 */
export function createZone(named: string | undefined): Zone {
  if (named === undefined) return systemZone();
  let found: Zone | null = null;
  const zone = (): Zone => (found ??= zoneNamed(named) ?? unknown(named));
  return {
    get name() {
      return zone().name;
    },
    offsetMs: (at) => zone().offsetMs(at),
  };
}

function unknown(named: string): never {
  throw new Failure(
    "invalid_input",
    `The setting time.zone is "${named}", which is no known time zone.`,
    "Set it to a name such as Europe/Berlin, or remove it to use the system's.",
  );
}

function systemZone(): Zone {
  let name: string | null = null;
  return {
    get name() {
      return (name ??= systemZoneName());
    },
    // Not `getTimezoneOffset`, which has no seconds.
    offsetMs(at) {
      const date = new Date(at);
      const local = new Date(0);
      local.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate());
      local.setUTCHours(date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds());
      return local.getTime() - date.getTime();
    },
  };
}

/** Undefined or unknown if the system names none, or one that does not exist; its clock is then UTC. */
function systemZoneName(): string {
  const name = new Intl.DateTimeFormat().resolvedOptions().timeZone as string | undefined;
  return name === undefined || name === "Etc/Unknown" ? UTC.name : name;
}
