/** Search: everything that is remembered, decided, said or indexed, with filters, and one item in full beside it. */
import type { Api, Input } from "../client/api.ts";
import { useAnswer, useApp } from "../parts/app-context.ts";
import { EntryDetail } from "../parts/entry/detail.ts";
import { EntryRow } from "../parts/entry/row.ts";
import { html, useEffect, useState, type VNode } from "../parts/html.ts";
import { Icon } from "../parts/icons.ts";
import { Command, Empty, Failed, Loading } from "../parts/states.ts";
import { useKeys } from "../parts/use-keys.ts";
import { counted } from "../rules/amounts.ts";
import { type Entry, entryOfHit, entryOfItem } from "../rules/entry.ts";
import { SCOPE_LABELS, SHELF_LABELS, spoken, TYPES } from "../rules/labels.ts";
import { wordsOf } from "../rules/matched-text.ts";
import { GUESS_BELOW } from "../rules/relevance-words.ts";
import { fragmentOf } from "../rules/route.ts";
import { filtersOf, isFiltered, SPANS, type Terms, withTerm } from "../rules/search-terms.ts";
import { stepped } from "../rules/shortcuts.ts";

const PAGE = 30;
const HITS_MOST = 50;
const LISTED_MOST = 1_000;
const TYPING_MS = 250;

export function SearchView(): VNode {
  const { api, route, go, changes, place } = useApp();
  const { terms } = route;
  const [shown, setShown] = useState(PAGE);
  const asked = JSON.stringify({ ...terms, id: undefined });
  useEffect(() => setShown(PAGE), [asked, place.root]);
  const { answer, failure, isLoading } = useAnswer(
    (signal) => read(terms, place.isOwn, shown, api, signal),
    [asked, shown, changes, place.root, place.isOwn],
  );
  const open = (id: string) => go({ view: "search", terms: { ...terms, id } });
  const close = () => go({ view: "search", terms: { ...terms, id: "" } });
  const entries = answer?.entries ?? [];
  const position = entries.findIndex(({ id }) => id === terms["id"]);
  const step = (by: 1 | -1) => {
    const next = entries[stepped(position, entries.length, by)];
    if (next !== undefined) open(next.id);
  };
  useKeys({ next: () => step(1), previous: () => step(-1), close, search: focusSearch });
  // Of the question that was answered, not of the one that is being typed.
  const words = wordsOf(answer?.terms["q"] ?? "");
  return html`<div class=${terms["id"] === undefined ? "search" : "search has-detail"}>
    <div class="list-column">
      <header class="page-head visually-hidden"><h1>Search</h1></header>
      <${SearchField} key=${place.root} />
      <${Filters} />
      ${answer?.degraded && html`<p class="caution">${answer.degraded}</p>`}
      ${failure !== null && html`<${Failed} failure=${failure} />`}
      ${answer === null && failure === null && html`<${Loading} what="memories" />`}
      ${answer !== null &&
      (entries.length === 0
        ? html`<${Nothing} terms=${answer.terms} isOwn=${place.isOwn} />`
        : html`<p class="meta" role="status">${headline(answer)}</p>
            <${Rows} entries=${entries} words=${words} isLoading=${isLoading} />
            ${entries.length < Math.min(answer.total, LISTED_MOST) &&
            html`<button class="more" disabled=${isLoading} onClick=${() => setShown(shown + PAGE)}>
              Show more
            </button>`}`)}
    </div>
    ${terms["id"] !== undefined &&
    html`<${EntryDetail}
      key=${terms["id"]}
      id=${terms["id"]}
      found=${entries[position] ?? null}
      words=${words}
      open=${open}
      close=${close}
    />`}
  </div>`;
}

interface RowsProps {
  entries: readonly Entry[];
  words: readonly string[];
  isLoading: boolean;
}

/** Guesses stand apart, so that nobody takes them for answers. */
function Rows({ entries, words, isLoading }: RowsProps): VNode {
  const { terms } = useApp().route;
  const firstGuess = entries.findIndex(isGuess);
  return html`<ol class="rows" aria-busy=${isLoading}>
    ${entries.map(
      (entry, index) =>
        html`${index > 0 && index === firstGuess && html`<li key="guesses" class="divider">Guesses</li>`}<${EntryRow}
            key=${entry.id}
            entry=${entry}
            words=${words}
            isChosen=${entry.id === terms["id"]}
            href=${fragmentOf({ view: "search", terms: { ...terms, id: entry.id } })}
          />`,
    )}
  </ol>`;
}

interface Found {
  /** What was asked. */
  terms: Terms;
  entries: Entry[];
  total: number;
  degraded: string | null;
}

async function read(terms: Terms, isOwn: boolean, shown: number, api: Api, signal: AbortSignal): Promise<Found> {
  const filters = filtersOf(terms, isOwn);
  const query = terms["q"];
  if (query === undefined) {
    // One more than can be shown tells that there are more.
    const asked = { ...filters, limit: Math.min(shown, LISTED_MOST), countMost: LISTED_MOST + 1 };
    const { items, total } = await api.list(asked, { signal });
    return { terms, entries: items.map(entryOfItem), total, degraded: null };
  }
  const limit = Math.min(shown, HITS_MOST);
  const { hits, degraded } = await api.recall({ ...filters, query, limit, quiet: true } as Input<"recall">, { signal });
  const total = hits.length === limit ? HITS_MOST : hits.length;
  return { terms, entries: hits.map(entryOfHit).sort(byRelevance), total, degraded };
}

/** Each shelf has its own ranking; a person looks for the best of all. */
const byRelevance = (one: Entry, two: Entry): number => (two.relevance ?? 0) - (one.relevance ?? 0);

const headline = ({ entries, total, terms }: Found): string =>
  terms["q"] === undefined
    ? `${total > LISTED_MOST ? `More than ${counted(LISTED_MOST, "item")}` : counted(total, "item")}${isFiltered(terms) ? " with these filters" : ""}, newest first`
    : `${counted(entries.length - guesses(entries), "hit")}${guesses(entries) > 0 ? ` and ${counted(guesses(entries), "guess", "guesses")}` : ""}, most relevant first`;

const guesses = (entries: readonly Entry[]): number => entries.filter(isGuess).length;
const isGuess = ({ relevance }: Entry): boolean => relevance !== null && relevance < GUESS_BELOW;

const focusSearch = () => document.querySelector<HTMLInputElement>("#search-field")?.focus();

/** Searches while one types, after a short pause. */
function SearchField(): VNode {
  const { route, go } = useApp();
  const asked = route.terms["q"] ?? "";
  const [text, setText] = useState(asked);
  useEffect(() => setText(asked), [asked]);
  const submit = () => text.trim() !== asked && go({ view: "search", terms: withTerm(route.terms, "q", text.trim()) });
  useEffect(() => {
    const timer = setTimeout(submit, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return html`<form role="search" class="search-form" onSubmit=${(event: Event) => (event.preventDefault(), submit())}>
    <${Icon} name="search" />
    <input
      id="search-field"
      type="search"
      dir="auto"
      maxlength="10000"
      aria-label="Ask or search"
      placeholder="Ask in your own words"
      autocomplete="off"
      value=${text}
      onInput=${(event: Event) => setText((event.target as HTMLInputElement).value)}
    />
    <kbd aria-hidden="true">/</kbd>
  </form>`;
}

const STATUSES = { "": "current", archived: "forgotten", pruned: "faded", rejected: "rejected" } as const;

function Filters(): VNode {
  const { route, go, place } = useApp();
  const { terms } = route;
  const set = (name: string) => (value: string) => go({ view: "search", terms: withTerm(terms, name, value) });
  const types = TYPES.map((type) => [type, spoken(type)] as const);
  return html`<div class="filters">
    <div class="chips" role="group" aria-label="Where to look">
      ${[["", "Everything"], ...Object.entries(SHELF_LABELS)].map(
        ([shelf, label]) =>
          html`<button aria-pressed=${(terms["shelf"] ?? "") === shelf} onClick=${() => set("shelf")(shelf!)}>
            ${label}
          </button>`,
      )}
    </div>
    <div class="selects">
      <${Choice} label="Kind" value=${terms["type"]} options=${[["", "any kind"], ...types]} choose=${set("type")} />
      ${!place.isOwn &&
      html`<${Choice}
        label="Holds in"
        value=${terms["scope"]}
        options=${[["", "any scope"], ...Object.entries(SCOPE_LABELS)]}
        choose=${set("scope")}
      />`}
      <${Choice} label="From" value=${terms["since"]} options=${Object.entries(SPANS)} choose=${set("since")} />
      <${Choice} label="Status" value=${terms["status"]} options=${Object.entries(STATUSES)} choose=${set("status")} />
      ${isFiltered(terms) &&
      html`<button class="quiet" onClick=${() => go({ view: "search", terms: { q: terms["q"] ?? "" } })}>
        Clear filters
      </button>`}
    </div>
  </div>`;
}

interface ChoiceProps {
  label: string;
  value: string | undefined;
  options: readonly (readonly [value: string, label: string])[];
  choose(value: string): void;
}

const Choice = ({ label, value = "", options, choose }: ChoiceProps): VNode =>
  html`<span class=${value === "" ? "choice" : "choice is-set"}>
    <select
      aria-label=${label}
      value=${value}
      onChange=${(event: Event) => choose((event.target as HTMLSelectElement).value)}
    >
      ${options.map(([name, text]) => html`<option value=${name} selected=${name === value}>${text}</option>`)}
    </select>
  </span>`;

function Nothing({ terms, isOwn }: { terms: Terms; isOwn: boolean }): VNode {
  if (terms["q"] !== undefined)
    return html`<${Empty} title="Nothing remembered answers that.">
      <p>
        ${isFiltered(terms)
          ? "Try without the filters, or ask in other words."
          : "Ask in other words, or look at what there is: clear the search."}
      </p>
    <//>`;
  if (isFiltered(terms))
    return html`<${Empty} title="Nothing here has these filters."><p>Clear them to see everything.</p><//>`;
  return html`<${Empty} title=${isOwn ? "Nothing holds in all projects yet." : "Nothing is remembered here yet."}>
    <p>Agents remember as they work, once their host is connected. Connect the ones on this machine:</p>
    <${Command} text="stele init" />
    <p>Or remember something yourself:</p>
    <${Command}
      text=${isOwn
        ? 'stele remember "I prefer short answers" --scope global'
        : 'stele remember "Deploys need the VPN" --type gotcha'}
    />
  <//>`;
}
