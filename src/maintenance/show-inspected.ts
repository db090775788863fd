/**
 * What `inspect` shows to a person of captured sessions, and of each store: facts, then charts of its active memories,
 * then all other items.
 */
import { oneLine } from "../recall/show-hits.ts";
import { counted } from "../text/short-text.ts";
import type { Zone } from "../time/calendar.ts";
import { timeIn } from "../time/shown.ts";
import { type InspectedCapture, type InspectedStore, type Inspection, RECENT_DAYS } from "./inspect.ts";

/** A small bar chart of plain characters: a name, a count and a bar on each line. */
interface Bar {
  name: string;
  count: number;
}

const BAR_CHARACTERS = 30;

/** The longest bar belongs to the largest count, and whatever there is has a bar. Empty if there is nothing. */
export function barChart(bars: readonly Bar[]): string[] {
  const most = Math.max(0, ...bars.map(({ count }) => count));
  if (most === 0) return [];
  const nameLength = Math.max(...bars.map(({ name }) => name.length));
  const countLength = String(most).length;
  return bars.map(({ name, count }) => {
    const bar = "#".repeat(Math.ceil((count / most) * BAR_CHARACTERS));
    return `${name.padEnd(nameLength)}  ${String(count).padStart(countLength)}  ${bar}`.trimEnd();
  });
}

const MOST_SHOWN = 5;

export function renderStore(name: string, store: InspectedStore, zone: Zone): string[] {
  const memories = store.counts.filter(({ shelf, status }) => shelf === "memory" && status === "active");
  const active = sumOf(memories);
  return [
    "",
    `${name} store  ${store.path}`,
    ...factsOf(store, zone).map(indented),
    ...section(`${counted(active, "active memory", "active memories")} by type`, barChart(summed(memories, "type"))),
    ...section("by scope", barChart(summed(memories, "scope"))),
    ...section("by age", barChart(store.ages.map(({ upToDays, count }) => ({ name: ageName(upToDays), count })))),
    ...section("by tag", barChart(store.tags.map(({ tag, count }) => ({ name: oneLine(tag, 30), count })))),
    ...section("recalled most", mostRecalled(store)),
    ...(active > 0 ? [indented(`never recalled: ${store.neverRecalled} of ${active}`)] : []),
    ...section("everything else", others(store)),
  ];
}

export function renderCapture(
  { events, lastEventAt, transcripts, evidence, told }: InspectedCapture,
  zone: Zone,
): string[] {
  const last = lastEventAt ? `, the last at ${timeIn(lastEventAt, zone)}` : "";
  const { recent, limitMegabytes } = evidence;
  const items = (count: number) => counted(count, "evidence item");
  const lines = [
    `${counted(events, "event")} of sessions${last}; ${counted(transcripts, "transcript")} read`,
    `${items(evidence.items)}, ${megabytes(evidence.bytes)} of at most ${limitMegabytes} MB`,
    `${items(recent.items)}, ${megabytes(recent.bytes)} in the last ${RECENT_DAYS} days`,
    ...(told.week > 0
      ? [
          `told ${counted(told.week, "time")} this week, of use ${told.ofUse}${told.notKnown > 0 ? `, not known yet ${told.notKnown}` : ""}`,
        ]
      : []),
  ];
  return ["", "Capture", ...lines.map(indented)];
}

const indented = (line: string): string => `  ${line}`;
const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [indented(title), ...lines.map((line) => `    ${line}`)];

function factsOf(store: InspectedStore, zone: Zone): string[] {
  const { bytes, freeBytes, schema, embeddable, embedders, journalLength, accesses, edges, cachedVectors } = store;
  const size = `${megabytes(bytes)} (${megabytes(freeBytes)} free)`;
  const journal = counted(journalLength, "journal entry", "journal entries");
  return [
    [size, `schema ${schema}`, journal, counted(sumOf(edges), "edge")].join(", "),
    `${counted(embeddable, "embeddable passage")}, ${counted(cachedVectors, "cached vector")}`,
    `read ${counted(accesses.get, "time")} by id, found ${counted(accesses.search, "time")} by searches`,
    store.maintainedAt ? `last maintained ${timeIn(store.maintainedAt, zone)}` : "never maintained",
    ...embedders.map(({ identity, waiting }) => `vectors of ${identity}, ${waiting} pending`),
  ];
}

const sumOf = (rows: readonly { count: number }[]): number => rows.reduce((sum, { count }) => sum + count, 0);

/** Largest first. */
function summed(rows: InspectedStore["counts"], by: "type" | "scope"): Bar[] {
  const bars = [...Map.groupBy(rows, (row) => row[by])].map(([name, own]) => ({ name, count: sumOf(own) }));
  return bars.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}

const AGES: Readonly<Record<string, string>> = { 1: "today", 7: "this week", 30: "this month", 90: "3 months" };
const ageName = (upToDays: number | null): string =>
  upToDays === null ? "older" : (AGES[upToDays] ?? (upToDays === 365 ? "this year" : `${upToDays} days`));

function mostRecalled({ mostRecalled: most }: InspectedStore): string[] {
  const width = String(most[0]?.count ?? 0).length;
  return most
    .slice(0, MOST_SHOWN)
    .map(({ handle, summary, count }) => `${String(count).padStart(width)}  ${handle}  ${oneLine(summary, 70)}`);
}

/** Items that are no active memories, as plain counts. */
function others({ counts }: InspectedStore): string[] {
  const rest = counts.filter(({ shelf, status }) => shelf !== "memory" || status !== "active");
  return rest.map(
    ({ shelf, scope, type, status, count }) => `${String(count).padStart(6)}  ${shelf}: ${type}, ${scope}, ${status}`,
  );
}

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Remote providers as `inspect` shows them to a person: tokens, and costs where prices are set. */
type Remote = Inspection["remote"];
type Spent = Remote["usage"][number]["today"];

/** Nothing, if there is no provider and never was one. */
export function renderRemote({ llm, embedder, usage }: Remote): string[] {
  const named = [llm, embedder].filter((name) => name !== null).join(", ");
  if (named === "" && usage.length === 0) return [];
  const lines = usage.map(
    ({ provider, model, purpose, today, total }) =>
      `  ${provider} ${model}, to ${purpose}: ${spent(today)} today, ${spent(total)} in total`,
  );
  return ["", `Remote providers  ${named || "none now"}`, ...(lines.length > 0 ? lines : ["  nothing was sent yet"])];
}

function spent({ inputTokens, outputTokens, cost }: Spent): string {
  const price = cost === null ? "" : ` (${cost.toFixed(cost < 1 ? 4 : 2)})`;
  return `${inputTokens.toLocaleString("en")} + ${outputTokens.toLocaleString("en")} tokens${price}`;
}
