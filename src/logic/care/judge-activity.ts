/** Judges whether the index and the hooks of a project are at work, and what the data folder takes. */
import type { Activity, Finding } from "../../model/care/finding.ts";
import { agoText } from "../../model/context/orientation-text.ts";
import { DAY_MS } from "../../model/duration.ts";
import { counted } from "../../model/text/count.ts";
import { megabytes, note, ok, some } from "./findings.ts";

const STALE_INDEX_MS = 7 * DAY_MS;

/** `found` is null if the project has no store that can be read. */
export function judgeActivity(found: Activity | null, fault: string | null, now: number): Finding[] {
  const faults = fault === null ? [] : [note("hooks", `The last fault of a hook: ${fault}.`, null)];
  return found === null ? faults : [indexOf(found, now), hooksOf(found, now), ...faults];
}

function indexOf({ files, checkedAt }: Activity, now: number): Finding {
  if (checkedAt === null) {
    const next = "`stele index` does so, and so does a search.";
    return note("index", "The files of this project have not been indexed.", next);
  }
  const message = `${counted(files, "file")} in the index, last checked ${agoText(now - checkedAt)}.`;
  const isStale = now - checkedAt > STALE_INDEX_MS;
  return isStale ? note("index", message, "`stele index` checks them.") : ok("index", message);
}

function hooksOf({ reportedAt, surfaces }: Activity, now: number): Finding {
  const [last] = surfaces;
  const slowest = Math.max(0, ...surfaces.map(({ ms }) => ms));
  const started = last
    ? `; the surface was last asked for ${agoText(now - last.at)}: ${last.tokens} tokens, ${last.ms} ms, at most ${slowest} ms lately`
    : "";
  return reportedAt === null
    ? note("hooks", `No hook has reported anything of this project${started}.`, "`stele init` sets hooks up.")
    : ok("hooks", `Hooks or agents last reported ${agoText(now - reportedAt)}${started}.`);
}

export function judgeDisk(parts: readonly { part: string; bytes: number }[]): Finding {
  const all = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return ok(
    "disk",
    `${megabytes(all)} in all: ${some(parts.map(({ part, bytes }) => `${part} ${megabytes(bytes)}`))}.`,
  );
}
