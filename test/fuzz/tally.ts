/** Counts of answers and failures for each host and verb, as a table. */
import { FAILURES } from "../../src/errors.ts";

const COLUMNS = ["ok", ...Object.keys(FAILURES)] as const;

type Row = [name: string, counts: [outcome: string, count: number][]];

export interface Tally {
  count(host: string, verb: string, outcome: string): void;
  of(outcome: string): number;
  /** For another process, and back. */
  rows(): Row[];
  add(rows: readonly Row[]): void;
  table(): string;
}

export function createTally(): Tally {
  const rows = new Map<string, Map<string, number>>();
  const valueOf = (row: Map<string, number>, column: string) => row.get(column) ?? 0;
  const sum = (all: readonly number[]) => all.reduce((total, value) => total + value, 0);
  const lineOf = (name: string, values: readonly number[]) =>
    name.padEnd(24) + [sum(values), ...values].map((value) => String(value).padStart(14)).join("");
  return {
    count(host, verb, outcome) {
      const name = `${host} ${verb}`;
      const row = rows.get(name) ?? new Map<string, number>();
      rows.set(name, row.set(outcome, valueOf(row, outcome) + 1));
    },
    of: (outcome) => sum([...rows.values()].map((row) => valueOf(row, outcome))),
    rows: () => [...rows].map(([name, row]): Row => [name, [...row]]),
    add(more) {
      for (const [name, counts] of more) rows.set(name, new Map(counts));
    },
    table() {
      const lines = [...rows].map(([name, row]) =>
        lineOf(
          name,
          COLUMNS.map((column) => valueOf(row, column)),
        ),
      );
      const totals = COLUMNS.map((column) => sum([...rows.values()].map((row) => valueOf(row, column))));
      const head = "".padEnd(24) + ["calls", ...COLUMNS].map((column) => column.padStart(14)).join("");
      return [head, ...lines.toSorted(), lineOf("all", totals)].join("\n");
    },
  };
}
