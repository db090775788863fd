/**
 * Every deliberate failure.
 *
 * One class, a closed table of codes. Only `hosts/` turns these into exit codes and
 * HTTP statuses. `hint` is the caller's next move, never a repetition of the message.
 */
export const FAILURES = {
  invalid_input: { http: 422, exit: 2 },
  not_found: { http: 404, exit: 3 },
  conflict: { http: 409, exit: 4 },
  refused: { http: 403, exit: 4 },
  unavailable: { http: 503, exit: 5 },
  internal: { http: 500, exit: 1 },
} as const;

export type FailureCode = keyof typeof FAILURES;

export class Failure extends Error {
  readonly code: FailureCode;
  readonly hint: string;

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

/** What the world threw, as one of ours: a Failure stays itself, anything else is an internal fault. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof Failure) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new Failure("internal", message, "This is a defect in Stele; run `stele inspect` and report it.", {
    cause: thrown,
  });
}
