/** A transaction that is being divided between the server and this machine. */
import type { Applied, Change, ChangeKind } from "../../model/journal/change.ts";
import type { Parts } from "./parts.ts";

export interface Divided {
  own: Change[];
  shared: Change[];
  /** On this machine again, once the server has taken its part; what belongs together is one list. */
  last: Change[][];
  /** Takes back what was done here, if the server refuses its part. */
  undo: Change[];
}

export type Conflict = Extract<Applied, { status: "conflict" }>;

/** What is known before the changes are divided. */
export interface Situation {
  parts: Parts;
  /** Memories of this machine, those of this transaction included. */
  here: ReadonlySet<string>;
  /** Those that are closed here in favour of one on the server, with that one. */
  folded: ReadonlyMap<string, string>;
  divided: Divided;
}

export type Of<K extends ChangeKind> = Extract<Change, { kind: K }>;
export type Outcome = Promise<Conflict | void>;

export const toOwn = async (change: Change, { divided }: Situation): Promise<void> => void divided.own.push(change);
export const toShared = async (change: Change, { divided }: Situation): Promise<void> =>
  void divided.shared.push(change);
export const toBoth = async (change: Change, now: Situation): Promise<void> => {
  await toOwn(change, now);
  await toShared(change, now);
};
