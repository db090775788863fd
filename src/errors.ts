/**
 * Every deliberate failure.
 *
 * One class, a closed table of codes. Only `cli/`, `mcp/` and `http/` turn them into exit codes; `http` is the
 * status for a host that serves HTTP. `hint` is the caller's next move, never a repetition of
 * the message.
 */
export const FAILURES = {
  invalid_input: { http: 422, exit: 2 },
  not_found: { http: 404, exit: 3 },
  conflict: { http: 409, exit: 4 },
  refused: { http: 403, exit: 4 },
  unauthorized: { http: 401, exit: 4 },
  too_large: { http: 413, exit: 2 },
  too_many: { http: 429, exit: 5 },
  locked: { http: 423, exit: 5 },
  unavailable: { http: 503, exit: 5 },
  internal: { http: 500, exit: 1 },
} as const;

export type FailureCode = keyof typeof FAILURES;

export class Failure extends Error {
  readonly code: FailureCode;
  readonly hint: string;

  /** The build may load a part of the program from a file of its own, which has a copy of this class. */
  static override [Symbol.hasInstance](value: unknown): value is Failure {
    return value instanceof Error && value.name === "Failure" && "code" in value && "hint" in value;
  }

  constructor(code: FailureCode, message: string, hint: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "Failure";
    this.code = code;
    this.hint = hint;
  }

  toJSON(): { error: { code: FailureCode; message: string; hint: string } } {
    return { error: { code: this.code, message: this.message, hint: this.hint } };
  }
}

/** Whether a role or a rule forbids it, so that it may be left to somebody else. */
export const isForbidden = (thrown: unknown): boolean => thrown instanceof Failure && thrown.code === "refused";

/** Any thrown value as a Failure: system errors are `unavailable`, everything unknown is `internal`. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  // An error from the system is no defect: a full disk, a file in place of a folder.
  if (thrown instanceof Error && "syscall" in thrown) return fromSystem(thrown as NodeJS.ErrnoException);
  return new Failure("internal", message, "This is a defect in Stele; run `stele inspect` and report it.", {
    cause: thrown,
  });
}

const SYSTEM_FAULTS: Readonly<Record<string, string>> = {
  EACCES: "permission was denied",
  EPERM: "permission was denied",
  ENOENT: "it does not exist",
  ENOTDIR: "part of its path is not a folder",
  EISDIR: "it is a folder",
  EEXIST: "something is there already",
  ELOOP: "a link in its path leads back to itself",
  ENAMETOOLONG: "its path is too long",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EROFS: "the disk is read-only",
  EIO: "the disk does not work",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};

/** In words, with the code that a search finds; the system's own message if we know no better, or not which of two files is meant. */
function fromSystem(thrown: NodeJS.ErrnoException & { dest?: string }): Failure {
  const { code = "", path, dest, syscall = "", message } = thrown;
  // Where a program cannot be started, its folder may be what is missing.
  const why = dest === undefined && !syscall.startsWith("spawn") ? SYSTEM_FAULTS[code] : undefined;
  const subject = path ? `${path} cannot be used` : "The system refused";
  const told = why === undefined ? `${message}.` : `${subject}: ${why} (${code}).`;
  return new Failure("unavailable", told, "Check the path, its permissions and the disk.", { cause: thrown });
}

const LONGEST_COMPARED = 64;

/** The known word that was most likely meant, or null when none is close. */
export function nearest(word: string, known: readonly string[]): string | null {
  if (word.length > LONGEST_COMPARED) return null;
  // In a short word two letters are half of it: `edit` is not `audit`, and `note` is not `code`.
  const allowed = word.length < 6 ? 1 : Math.max(2, Math.floor(word.length * 0.3));
  let best: string | null = null;
  let bestDistance = allowed + 1;
  for (const candidate of known) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      let least = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) least = Math.min(least, beforeLast[column - 2]! + 1);
      current.push(least);
    }
    [beforeLast, last] = [last, current];
  }
  return last[to.length]!;
}
