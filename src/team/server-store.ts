/**
 * Composition of the store of a shared project.
 *
 * The build has it as a file of its own, because few projects are shared, and every command would read it otherwise.
 */
import { readFileSync } from "node:fs";
import { isAbsolute } from "node:path";
import type { Config } from "../app/config.ts";
import { teamPassword, userFile } from "../app/environment.ts";
import { Failure } from "../errors.ts";
import { readSecret } from "../machine/private-files.ts";
import { examineTeam, openTeamSpace } from "../store/postgres/team-space.ts";
import type { Store } from "../store/store.ts";
import { whenReached } from "../store/team/away.ts";
import { teamStore } from "../store/team/store.ts";
import type { Clock } from "../world.ts";
import type { ReaderMark } from "./records.ts";
import { isOnThisMachine, type SharedProject, type TeamCondition, type TeamServer } from "./team.ts";

// The team's server, as the person's settings name it, with the password.
//
// A password comes from the environment or from a file that nobody else can read, and goes nowhere but to the server.

/** The settings that say how to reach it. */
type ServerSettings = Config["team"];

export function teamServer({ team }: { team: ServerSettings }, home?: string): TeamServer {
  const { url, name = null, tls = url !== undefined && isOnThisMachine(url) ? "off" : "verify" } = team;
  if (url === undefined) {
    throw new Failure(
      "unavailable",
      "No server is named for the team.",
      `Name it in ${userFile(home)}, such as {"team": {"url": "postgres://me@db.example/stele"}}.`,
    );
  }
  return { url, name, password: passwordOf(team), tls: tls === "off" ? null : { ca: authorityOf(team) } };
}

function passwordOf({ passwordFile }: ServerSettings): string | undefined {
  const given = teamPassword();
  if (given !== undefined || passwordFile === undefined) return given;
  const text = reading(passwordFile, "team.passwordFile", readSecret);
  if (text !== null) return text.replace(/\r?\n$/, "");
  throw new Failure(
    "unavailable",
    `${passwordFile} is not used as the password: others can read it, or it is no small file.`,
    `Make it your own: \`chmod 600 ${passwordFile}\`.`,
  );
}

function authorityOf({ caFile }: ServerSettings): string | null {
  if (caFile === undefined) return null;
  const text = reading(caFile, "team.caFile", (path) => readFileSync(path, "utf8"));
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  const hint = "team.caFile in your settings names it; it must be a certificate in PEM.";
  throw new Failure("unavailable", `${caFile} holds no certificate.`, hint);
}

function reading<T>(path: string, setting: string, read: (path: string) => T): T {
  if (!isAbsolute(path))
    throw new Failure("invalid_input", `${setting} must be an absolute path.`, "Correct it in your settings file.");
  try {
    return read(path);
  } catch (thrown) {
    const { code = "a fault" } = thrown as NodeJS.ErrnoException;
    throw new Failure("unavailable", `${path} cannot be read (${code}).`, `${setting} in your settings names it.`, {
      cause: thrown,
    });
  }
}

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
