/** Rows as text tables: one line per measurement, one column per party. */
import { PARTIES, PARTS, type PartyName, type Result, type Row, TITLES, keepsBudget, ratioToOurs } from "./result.ts";

const SIGNS = { "at most": "≤", "at least": "≥", below: "<" } as const;

export function describeMachine({ machine, load, date }: Result): string {
  const { cores, model, memoryGb, system, node } = machine;
  return `${cores} cores, ${model}, ${memoryGb} GB, ${system}, Node ${node}, ${date.slice(0, 10)}, load before ${load.toFixed(1)}`;
}

const count = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 0 });

/** Three significant digits, with the unit. */
function amount(value: number, unit: Row["unit"]): string {
  const digits = value < 10 ? 2 : value < 100 ? 1 : 0;
  if (unit === "/s") return `${count(value)}/s`;
  return `${value >= 1_000 ? count(value) : value.toFixed(digits)} ${unit}`;
}

export const sizeText = (size: number | null) => (size === null ? "" : count(size));

export function measured(row: Row): string {
  if (row.value === null) return row.note ?? "not measured";
  return amount(row.value, row.unit) + (row.p95 === undefined ? "" : `, p95 ${amount(row.p95, row.unit)}`);
}

/** A peer's value with its ratio to ours, or with the smaller size it reached. */
export function beside(row: Row, rows: readonly Row[]): string {
  if (row.value === null) return row.note ?? "not measured";
  const value = amount(row.value, row.unit);
  if (row.reached !== undefined) return `${value} at ${count(row.reached)}`;
  const ratio = ratioToOurs(row, rows);
  return ratio === null ? value : `${value} (${amount(ratio, "×")})`;
}

export const budgetText = ({ budget, unit }: Row) =>
  budget === undefined
    ? ""
    : `${SIGNS[budget.is]} ${unit === "/s" ? amount(budget.value, unit) : `${budget.value} ${unit}`}`;

export function verdict(row: Row): string {
  const keeps = keepsBudget(row);
  return keeps === null ? "" : keeps ? "ok" : "over";
}

interface Line {
  what: string;
  size: number | null;
  of: Partial<Record<PartyName, Row>>;
}

/** One line per measurement and size: by part, then by first occurrence, then by size. */
export function linesOf(rows: readonly Row[]): Line[] {
  const byPart = rows.toSorted((one, other) => PARTS.indexOf(one.part) - PARTS.indexOf(other.part));
  return [...Map.groupBy(byPart, ({ what }) => what)].flatMap(([what, same]) => {
    const sizes = Map.groupBy(same, ({ size }) => size);
    return [...sizes]
      .sort(([one], [other]) => (one ?? 0) - (other ?? 0))
      .map(([size, own]) => ({ what, size, of: Object.fromEntries(own.map((row) => [row.who, row])) }));
  });
}

export const partiesIn = (rows: readonly Row[]) => PARTIES.filter((name) => rows.some(({ who }) => who === name));

export function terminalTable(result: Result): string {
  const { rows } = result;
  const peers = partiesIn(rows).filter((name) => name !== "stele");
  const head = ["what", "items", "Stele", "budget", "", ...peers.map((name) => TITLES[name])];
  const cells = linesOf(rows).map(({ what, size, of }) => [
    ...[what, sizeText(size), of.stele ? measured(of.stele) : ""],
    ...(of.stele ? [budgetText(of.stele), verdict(of.stele).replace("over", "OVER")] : ["", ""]),
    ...peers.map((name) => (of[name] ? beside(of[name], rows) : "")),
  ]);
  return `${describeMachine(result)}\nA peer's number in brackets is its time or size relative to ours.\n\n${aligned(head, cells)}`;
}

function aligned(head: readonly string[], cells: readonly string[][]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((cell) => (cell[column] ?? "").length)),
  );
  const line = (cell: readonly string[]) =>
    cell
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...cells.map(line)].join("\n");
}
