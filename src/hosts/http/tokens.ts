/**
 * Tokens: one for programs, kept in a file, and those of people, kept in memory only.
 *
 * A person's token is had for a code that is good once and for a minute; the owner's key, which no program is given,
 * makes the codes. It ends with the server, or when nobody has used it for an hour. Tokens are compared by their hashes,
 * so that the time it takes tells nothing.
 */
import { createHash, randomBytes } from "node:crypto";
import { Failure } from "../../errors.ts";
import type { Bearer } from "./guard.ts";

export const CODE_LIFE_MS = 60_000;
export const PERSON_IDLE_MS = 3_600_000;
/** More than anyone opens at a time; the oldest goes first. */
const MOST_KEPT = 16;
const TOKEN_BYTES = 32;

export interface Tokens {
  bearerOf(token: string): Bearer | null;
  /** A code that is good once. */
  issueCode(): string;
  /** The person's token for it. */
  redeem(code: string): string;
}

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

export interface Fixed {
  /** The token of programs. */
  token: string;
  ownerKey: string;
}

export function createTokens({ token, ownerKey }: Fixed, clock: { now(): number }): Tokens {
  const fixed = new Map<string, Bearer>([
    [printOf(token), "agent"],
    [printOf(ownerKey), "owner"],
  ]);
  const codes = new Map<string, number>();
  const people = new Map<string, number>();

  return {
    bearerOf(token) {
      const print = printOf(token);
      const named = fixed.get(print);
      if (named !== undefined) return named;
      const until = people.get(print);
      if (until === undefined || until < clock.now()) return null;
      people.set(print, clock.now() + PERSON_IDLE_MS);
      return "person";
    },
    issueCode() {
      const code = newToken();
      keep(codes, printOf(code), clock.now() + CODE_LIFE_MS);
      return code;
    },
    redeem(code) {
      const print = printOf(code);
      const until = codes.get(print);
      codes.delete(print);
      if (until === undefined || until < clock.now()) {
        throw new Failure(
          "unauthorized",
          "This code is not valid, or has expired.",
          "Run `stele open` for another one.",
        );
      }
      const personToken = newToken();
      keep(people, printOf(personToken), clock.now() + PERSON_IDLE_MS);
      return personToken;
    },
  };
}

const printOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

function keep(kept: Map<string, number>, print: string, until: number): void {
  kept.set(print, until);
  const oldest = kept.keys().next().value;
  if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest);
}
