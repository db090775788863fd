/** What a search on the page asks for, from the terms of its address to the fields of the verbs. */
import type { Input } from "../client/api.ts";

export const SPANS = {
  "": "any time",
  today: "today",
  "7 days ago": "the last week",
  "30 days ago": "the last month",
  "365 days ago": "the last year",
} as const;

export type Terms = Readonly<Record<string, string>>;
type Filters = Pick<Input<"list">, "shelf" | "type" | "scope" | "since" | "status" | "tag">;

/** With no shelf chosen, a search looks on every one; a list shows what is remembered, decided and proposed. */
const LISTED: NonNullable<Filters["shelf"]> = ["memory", "decision", "proposal"];
const EVERYWHERE: NonNullable<Filters["shelf"]> = [...LISTED, "evidence", "document", "code"];

export function filtersOf(terms: Terms, isOwn: boolean): Filters {
  const one = <T extends string>(value: string | undefined) => (value === undefined ? undefined : [value as T]);
  const scope = isOwn ? ("global" as const) : (terms["scope"] as "project" | undefined);
  const filters = {
    shelf: one<(typeof EVERYWHERE)[number]>(terms["shelf"]) ?? (terms["q"] === undefined ? LISTED : EVERYWHERE),
    type: one<"fact">(terms["type"]),
    scope: scope && [scope],
    since: terms["since"],
    status: one<"active">(terms["status"]),
    tag: one(terms["tag"]),
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as Filters;
}

export const FILTER_NAMES = ["shelf", "type", "scope", "since", "status", "tag"] as const;

export const isFiltered = (terms: Terms): boolean => FILTER_NAMES.some((name) => terms[name] !== undefined);

/** Other terms, with one of them changed; whatever was open or further down is left. */
export function withTerm(terms: Terms, name: string, value: string): Terms {
  const { id: _, ...rest } = terms;
  return { ...rest, [name]: value };
}
