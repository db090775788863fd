/**
 * Guard: who may enter, decided from what a request says about itself.
 *
 * A page in a browser can reach a server on this machine, under a name of its own choosing and with the person's
 * network. So the name asked for and the page that asks must be ours, and nothing but a token opens a door.
 */
import { Failure } from "../../errors.ts";

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

export interface Doors {
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
