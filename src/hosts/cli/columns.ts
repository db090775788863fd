/** Two aligned columns, as every help page shows them. A long left cell gets a line of its own. */
const WIDEST_LEFT = 32;

export function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= WIDEST_LEFT));
  return rows
    .map(([left, right]) => {
      if (right === "") return `  ${left}`;
      if (left.length > width) return `  ${left}\n  ${" ".repeat(width)}  ${right}`;
      return `  ${left.padEnd(width)}  ${right}`;
    })
    .join("\n");
}
