/** Two aligned columns for help pages; long text on the right is wrapped within its column. */
const WIDEST_LEFT = 24;
const PAGE_WIDTH = 80;

export function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(0, ...rows.map(([left]) => left.length).filter((length) => length <= WIDEST_LEFT));
  const indent = " ".repeat(width + 4);
  return rows
    .map(([left, right]) => {
      const wrapped = wrap(right, PAGE_WIDTH - indent.length).join(`\n${indent}`);
      if (left.length > width) return `  ${left}\n${indent}${wrapped}`;
      return `  ${left.padEnd(width)}  ${wrapped}`.trimEnd();
    })
    .join("\n");
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
