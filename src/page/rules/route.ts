/**
 * Routes: where on the page somebody is, as the fragment of its address.
 *
 * The fragment never reaches the server, so neither questions nor codes stand in anybody's log.
 */
export const VIEWS = ["search", "inbox", "timeline", "graph", "project"] as const;
export type View = (typeof VIEWS)[number];

export interface Route {
  readonly view: View;
  /** What is asked for there; absent means the default. */
  readonly terms: Readonly<Record<string, string>>;
}

export function routeOf(fragment: string): Route {
  const [, name = "", query = ""] = /^#?\/?([^?]*)\??(.*)$/.exec(fragment) ?? [];
  const view = VIEWS.find((known) => known === name) ?? "search";
  const terms = Object.fromEntries([...new URLSearchParams(query)].filter(([, value]) => value !== ""));
  return { view, terms };
}

export function fragmentOf({ view, terms }: Route): string {
  const given = Object.entries(terms).filter(([, value]) => value !== "");
  const query = new URLSearchParams(given).toString();
  return `#/${view}${query === "" ? "" : `?${query}`}`;
}

/** What somebody who leads a person here put into the address. */
export interface Entrance {
  /** Good once. */
  readonly code: string | null;
  readonly project: string | null;
  /** The handle of what to look at. */
  readonly item: string | null;
}

/** Null if the address is a place on the page. */
export function entranceIn(fragment: string): Entrance | null {
  if (!/^#(code|project|item)=/.test(fragment)) return null;
  const terms = new URLSearchParams(fragment.slice(1));
  const term = (name: string) => terms.get(name) || null;
  return { code: term("code"), project: term("project"), item: term("item") };
}
