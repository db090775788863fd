/**
 * Guard: who may enter, decided from what a request says about itself.
 *
 * A page in a browser can reach a server on this machine, under a name of its own choosing and with the person's
 * network. So the name asked for and the page that asks must be ours, and nothing but a token opens a door.
 */
import { createHash, randomBytes } from "node:crypto";
import { Failure } from "../errors.ts";

/**
 * An agent's token opens the verbs; a person's also what only people may do. The owner's key opens no verb: with it the
 * commands of the same machine look after the server.
 */
export type Bearer = "agent" | "person" | "owner";
/** Who may run verbs. */
export type Caller = Exclude<Bearer, "owner">;

export interface Knock {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** What a browser says of the page that asks: `Sec-Fetch-Site`. */
  readonly fetchSite: string | undefined;
  /** `Sec-Fetch-Dest`: a document for a person who follows a link, `empty` for a script. */
  readonly fetchDest: string | undefined;
  readonly authorization: string | undefined;
}

interface Doors {
  /** Under which this server is reached: scheme, name and port, as a browser says them. */
  readonly origins: readonly string[];
  /** Whose token this is; null if nobody's. */
  bearerOf(token: string): Bearer | null;
}

/**
 * Throws unless the request was sent to us, by a program or by our own page. A link on another site may lead a person to
 * a page of ours: the page tells nothing without a token, and nobody may frame it.
 */
export function checkSender(knock: Knock, { origins }: Pick<Doors, "origins">): void {
  const { host, origin, fetchSite, fetchDest } = knock;
  if (host === undefined || !origins.some((own) => own.endsWith(`//${host.toLowerCase()}`))) {
    throw new Failure("refused", "This server does not answer under that name.", `Ask for ${origins[0]}/.`);
  }
  const isForeign = origin !== undefined && !origins.includes(origin.toLowerCase());
  const isElsewhere = fetchSite === "cross-site" || fetchSite === "same-site";
  const isLink = fetchDest === "document" && origin === undefined && knock.authorization === undefined;
  if (isForeign || (isElsewhere && !isLink)) {
    throw new Failure("refused", "Another site's page may not ask here.", "Ask from a program, or from our own page.");
  }
}

/** Throws unless the request carries a token that is known, of somebody who may do this. */
export function checkBearer<B extends Bearer>(
  { authorization }: Knock,
  { bearerOf }: Pick<Doors, "bearerOf">,
  welcome: readonly B[],
): B {
  const token = /^Bearer ([\w~+/.=-]{1,512})$/i.exec(authorization ?? "")?.[1];
  const bearer = token === undefined ? null : bearerOf(token);
  if (bearer !== null) return welcomed(bearer, welcome);
  throw new Failure(
    "unauthorized",
    authorization === undefined ? "This request carries no token." : "This token is not known.",
    "Send `Authorization: Bearer TOKEN`; `stele serve --status` says where the token is.",
  );
}

function welcomed<B extends Bearer>(bearer: Bearer, welcome: readonly B[]): B {
  const found = welcome.find((name) => name === bearer);
  if (found !== undefined) return found;
  const hint = "Run `stele open` in a terminal, or `stele serve --stop` to stop it.";
  throw new Failure("refused", `The token of ${HOLDERS[bearer]} does not open this.`, hint);
}

const HOLDERS: Record<Bearer, string> = { agent: "programs", person: "a person", owner: "the owner" };

/**
 * Tokens: one for programs, kept in a file, and those of people, kept in memory only.
 *
 * A person's token is had for a code that is good once and for a minute; the owner's key, which no program is given,
 * makes the codes. It ends with the server, or when nobody has used it for an hour. Tokens are compared by their hashes,
 * so that the time it takes tells nothing.
 */
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

interface Fixed {
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

/**
 * Rate: how many requests a bearer, or a user of this machine, may make.
 *
 * A bucket that fills steadily: short bursts pass, a loop that never ends is slowed down before it starves the others.
 */
export interface RateLimit {
  readonly burst: number;
  readonly perSecond: number;
}

/** Throws when a name has used up what it may. */
export function createRate<Name>({ burst, perSecond }: RateLimit, clock: { now(): number }): (name: Name) => void {
  const buckets = new Map<Name, { left: number; at: number }>();
  return (name) => {
    const now = clock.now();
    const { left, at } = buckets.get(name) ?? { left: burst, at: now };
    const filled = Math.min(burst, left + (Math.max(0, now - at) / 1_000) * perSecond);
    if (filled < 1) {
      throw new Failure("too_many", "Too many requests at once.", "Wait a second, then go on more slowly.");
    }
    buckets.set(name, { left: filled - 1, at: now });
  };
}
