/** Failures of a store that can no longer be written. */
import { Failure } from "../../../errors.ts";

export function removedFailure(path: string): Failure {
  return new Failure(
    "unavailable",
    `${path} was removed or replaced since it was opened, so nothing was stored.`,
    "Put it back, or restart Stele.",
  );
}

export function readOnlyFailure(): Failure {
  return new Failure(
    "unavailable",
    "The data folder cannot be written, so nothing was stored.",
    "Check its permissions and the free space, or set STELE_HOME to a folder you can write.",
  );
}
