/** A small bar chart of plain characters: a name, a count and a bar on each line. */
export interface Bar {
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
