/**
 * Composition of the store of a shared project.
 *
 * The build has it as a file of its own, because few projects are shared, and every command would read it otherwise.
 */
import type { Config } from "../config.ts";
import { teamServer } from "./team-server.ts";
import type { SharedProject, TeamCondition } from "../../model/care/team.ts";
import type { Store } from "../../ports/store/store.ts";
import type { Clock } from "../../ports/world.ts";
import type { ReaderMark } from "../../providers/team/reader-mark.ts";
import { examineTeam, openTeamSpace } from "../../store/postgres/team/team-space.ts";
import { whenReached } from "../../store/team/away.ts";
import { teamStore } from "../../store/team/store.ts";

const AWAY =
  "the team's server cannot be reached (`stele team status` says why), so only what is on this machine was searched";
const READER = "you may only read what the team shares";

export interface SharingTerms {
  config: Config;
  home: string | undefined;
  clock: Clock;
  /** Told to whoever asks, for as long as they stand there. */
  notices: string[];
  /** The project's space on this machine. */
  space: string;
  /** Whether this process lives long enough to be told what others write. */
  listens: boolean;
  reader: ReaderMark;
}

/** The store of a shared project. The server is asked when it is needed; while it is away, `notices` say so. */
export function openShared(
  { schema }: SharedProject,
  own: Store,
  { config, home, clock, notices, space, listens, reader }: SharingTerms,
): Store {
  const tell = (notice: string, isSo: boolean) => {
    const at = notices.indexOf(notice);
    if (isSo && at < 0) notices.push(notice);
    if (!isSo && at >= 0) notices.splice(at, 1);
  };
  const onRole = (mayWrite: boolean) => {
    reader.note(!mayWrite, clock.now());
    tell(READER, !mayWrite);
  };
  const shared = whenReached({
    open: async () => openTeamSpace(teamServer(config, home), schema, { clock, listens, onRole }),
    now: () => clock.now(),
    onAway: (isAway) => tell(AWAY, isAway),
  });
  return teamStore({ shared, own, space });
}

/** What the doctor looks at. */
export const examineShared = async (
  { schema }: SharedProject,
  { config, home }: Pick<SharingTerms, "config" | "home">,
): Promise<TeamCondition> => examineTeam(teamServer(config, home), schema);
