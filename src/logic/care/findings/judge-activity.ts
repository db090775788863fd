/** Judges whether the index and the hooks of a project are at work, and what looks strange. */
import type { Activity, Finding } from "../../../model/care/finding.ts";
import type { HostId } from "../../../model/connect/host.ts";
import { agoText } from "../../../model/context/orientation-text.ts";
import { DAY_MS } from "../../../model/duration.ts";
import { counted } from "../../../model/text/count.ts";
import type { Space } from "../../../model/memory/space.ts";
import { RECOVER, note, ok } from "./findings.ts";

const STALE_INDEX_MS = 7 * DAY_MS;

/** `found` is null if the project has no store that can be read; `connected`: the hosts that have our hooks. */
export function judgeActivity(
  found: Activity | null,
  { fault, connected }: { fault: string | null; connected: readonly HostId[] },
  now: number,
): Finding[] {
  const faults = fault === null ? [] : [note("hooks", `The last fault of a hook: ${fault}.`, null)];
  return found === null ? faults : [indexOf(found, now), hooksOf(found, connected, now), ...faults];
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

function hooksOf({ reportedAt, surfaces }: Activity, connected: readonly HostId[], now: number): Finding {
  const [last] = surfaces;
  const slowest = Math.max(0, ...surfaces.map(({ ms }) => ms));
  const started = last
    ? `; the surface was last asked for ${agoText(now - last.at)}: ${last.tokens} tokens, ${last.ms} ms, at most ${slowest} ms lately`
    : "";
  return reportedAt === null
    ? note("hooks", `No hook has reported anything from this project${started}.`, firstReport(connected))
    : ok("hooks", `Hooks or agents last reported ${agoText(now - reportedAt)}${started}.`);
}

function firstReport(connected: readonly HostId[]): string {
  if (connected.length === 0) return "`stele init` sets hooks up.";
  const trust = connected.includes("codex") ? " Codex asks you to trust the hooks first: enter /hooks there." : "";
  return `The next session in it will.${trust}`;
}

/** Leases that end later than any taken now could. They block nobody. */
export const judgeLeases = (leases: readonly { name: string; until: string }[]): Finding[] =>
  leases.map(({ name, until }) =>
    note(
      "store",
      `A lease for "${name}" lasts until ${until}, so it was taken while the clock was ahead.`,
      "Nothing to do: it does not count, and the next process replaces it. Check the clock.",
    ),
  );

/** Anybody can make a folder that looks like a project which is gone, so a person decides. */
export function judgeLookalike({ root }: Pick<Space, "root">, gone: Pick<Space, "id" | "root"> | null): Finding[] {
  if (gone === null) return [];
  const message = `${gone.root} is gone; ${root} has the same remote and first commit, but not its memory.`;
  const remedy = { kind: "take over" as const, id: gone.id, from: gone.root, root };
  return [note("projects", message, `If it is the same project, confirm that with ${RECOVER} in a terminal.`, remedy)];
}
