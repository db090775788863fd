/** What can go wrong between here and a server, in words and with a next step. */
import { Failure, type FailureCode } from "../../errors.ts";

export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown ? String(thrown.code) : "";
}

/** Connections end with these, or with an error of the network; some have no code at all. */
const LOST_CODES = /^(08|57P0[123]|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)/;
const LOST_TEXT =
  /^(Connection terminated|timeout exceeded when trying to connect|Client was closed|Client has encountered)/;

/** Whether the connection is gone, so that nothing can be said about what was under way. */
export const isLost = (thrown: unknown): boolean =>
  thrown instanceof Error && (LOST_CODES.test(codeOf(thrown)) || LOST_TEXT.test(thrown.message));

/** The tables are gone, or the role may no longer look into their schema, which then looks the same. */
export const isHidden = (thrown: unknown): boolean => /^(42P01|3F000)/.test(codeOf(thrown));

const REFUSED_CODES = /^(53300|28|3D000|42P01|3F000|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|CERT_|ERR_SSL|EPROTO)/;

/** Whether there is no connection, because it was lost or is refused to everything that this process asks. */
export const isUnreached = (thrown: unknown): boolean => isLost(thrown) || REFUSED_CODES.test(codeOf(thrown));

const ROLE_FAILURE = "Your role in the database does not allow that, so nothing was changed.";
const ROLE_HINT =
  "Ask whoever manages the database for the role you need; `stele team status` says which one you have.";

/** What the server itself would answer. */
export const roleFailure = (): Failure => new Failure("refused", ROLE_FAILURE, ROLE_HINT);

const TRANSLATIONS: readonly [RegExp, string, string, FailureCode?][] = [
  [/^55P03/, "The store is locked by another process.", "Try again when the other process has finished."],
  [/^(53100|58030)/, "The disk of the database server is full.", "Free some space there and run the command again."],
  [/^53300/, "The database server has no connection left.", "Try again later, or raise its limit of connections."],
  [
    /^(28P01|28000)/,
    "The database server refused the user or the password.",
    "Check both, and who may connect from here.",
  ],
  [/^3D000/, "The database does not exist.", "Create it, or correct its name."],
  [
    /^(42P01|3F000)/,
    "The project's tables in the database are gone, or you may no longer read them.",
    "Ask whoever manages the database whether you still have a role in the project.",
  ],
  [/^42501/, ROLE_FAILURE, ROLE_HINT, "refused"],
  [
    /^23514/,
    "The database refused it: its type or status, or another value, is not allowed on this shelf.",
    "Check the type and the status of what you store; a decision is proposed and ratified.",
    "refused",
  ],
  [
    /^(ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|CERT_|ERR_SSL|EPROTO)/,
    "The database server could not prove who it is.",
    "Name the authority that signed its certificate in team.caFile, and the server by the name in it.",
  ],
  [/^25006/, "The database server only answers; it takes no changes.", "Connect to the server that takes them."],
];

/** An error of the server or the network as a failure with a hint; anything else stays as it is. */
export function translate(thrown: unknown): unknown {
  if (isLost(thrown)) {
    const why = codeOf(thrown) || (thrown as Error).message;
    return new Failure(
      "unavailable",
      `The database server cannot be reached (${why}).`,
      "Check that it runs and that this machine can reach it.",
      { cause: thrown },
    );
  }
  if (
    thrown instanceof Error &&
    "constraint" in thrown &&
    /^journal_(pkey|continues)$/.test(String(thrown.constraint))
  ) {
    const hint =
      "Somebody wrote to it without Stele. Ask whoever manages the server to run `stele team init` again, which mends it and deletes no entry.";
    const message = "The journal on the server does not end where its head says, so nothing was stored.";
    return new Failure("unavailable", message, hint, { cause: thrown });
  }
  const found = TRANSLATIONS.find(([pattern]) => pattern.test(codeOf(thrown)));
  if (thrown instanceof Error && /client password must be a/.test(thrown.message)) {
    const hint = "Put it into STELE_TEAM_PASSWORD, or into a file that team.passwordFile names.";
    return new Failure("unavailable", "The database server wants a password.", hint, { cause: thrown });
  }
  if (thrown instanceof Error && thrown.message === "The server does not support SSL connections") {
    const hint = "Let it offer TLS; only if nobody is on the way, set team.tls to off in your own settings.";
    return new Failure("unavailable", "The database server offers no encrypted connections.", hint, { cause: thrown });
  }
  if (thrown instanceof Error && thrown.message === "There was an error establishing an SSL connection") {
    const hint =
      "Check the address and the port; what answers there may be no Postgres, or one that has no connection left.";
    return new Failure("unavailable", "The database server did not begin an encrypted connection.", hint, {
      cause: thrown,
    });
  }
  return found ? new Failure(found[3] ?? "unavailable", found[1], found[2], { cause: thrown }) : thrown;
}

/** Whether a commit that was sent may have been done: only an answer of the server says that it was not. */
export const leavesOpen = (thrown: unknown): boolean =>
  isLost(thrown) || !(thrown instanceof Error && "severity" in thrown);

const unknownOutcomes = new WeakSet<Failure>();

/** Whether it says that nobody knows if the server has committed. */
export const saysUnknown = (thrown: unknown): boolean => thrown instanceof Failure && unknownOutcomes.has(thrown);

/** The commit was sent, and not answered. */
export function unknownOutcome(cause: unknown): Failure {
  const failure = new Failure(
    "unavailable",
    "The connection to the database server was lost, and it is not known whether the change was stored.",
    "Look with `stele audit --limit 1` before you repeat it.",
    { cause },
  );
  unknownOutcomes.add(failure);
  return failure;
}

export const readOnlyFailure = (): Failure =>
  new Failure(
    "unavailable",
    "Your role in the database may only read, so nothing was stored.",
    "Ask whoever manages the database for the role of a writer.",
  );
