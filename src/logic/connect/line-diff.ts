/** The difference of two texts as a unified diff: the shortest list of lines to remove and add, with three around each. */
type Sign = " " | "-" | "+";
type Line = [sign: Sign, text: string];

const AROUND = 3;
/** Texts that differ in more lines are shown as replaced. */
const MOST_EDITS = 600;

/** Null stands for no file. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  let from = 0;
  while (from < old.length && from < now.length && old[from] === now[from]) from += 1;
  let same = 0;
  while (same < old.length - from && same < now.length - from && old.at(-1 - same) === now.at(-1 - same)) same += 1;
  const middle = compare(old.slice(from, old.length - same), now.slice(from, now.length - same));
  const lines: Line[] = [
    ...old.slice(0, from).map((text): Line => [" ", text]),
    ...middle,
    ...old.slice(old.length - same).map((text): Line => [" ", text]),
  ];
  const header = [`--- ${before === null ? "/dev/null" : path}`, `+++ ${after === null ? "/dev/null" : path}`];
  return [...header, ...hunks(lines)].join("\n");
}

/** A last line without an end differs from one that has it. */
function linesOf(text: string | null): string[] {
  if (text === null || text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  else lines.push(`${lines.pop()}\n\\ No newline at end of file`);
  return lines;
}

/** Myers: the furthest point reached on each diagonal with so many edits, then the way back. */
function compare(old: readonly string[], now: readonly string[]): Line[] {
  const reached: Map<number, number>[] = [];
  let front = new Map<number, number>([[1, 0]]);
  const most = Math.min(old.length + now.length, MOST_EDITS);
  for (let edits = 0; edits <= most; edits += 1) {
    const next = new Map<number, number>();
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const isDown = diagonal === -edits || (diagonal !== edits && at(front, diagonal - 1) < at(front, diagonal + 1));
      let x = isDown ? at(front, diagonal + 1) : at(front, diagonal - 1) + 1;
      while (x < old.length && x - diagonal < now.length && old[x] === now[x - diagonal]) x += 1;
      next.set(diagonal, x);
      if (x >= old.length && x - diagonal >= now.length) return wayBack([...reached, front], old, now);
    }
    reached.push(front);
    front = next;
  }
  return [...old.map((text): Line => ["-", text]), ...now.map((text): Line => ["+", text])];
}

const at = (front: Map<number, number>, diagonal: number) => front.get(diagonal) ?? -1;

function wayBack(reached: readonly Map<number, number>[], old: readonly string[], now: readonly string[]): Line[] {
  const lines: Line[] = [];
  let [x, y] = [old.length, now.length];
  for (let edits = reached.length - 1; edits >= 0; edits -= 1) {
    const front = reached[edits]!;
    const diagonal = x - y;
    const isDown = diagonal === -edits || (diagonal !== edits && at(front, diagonal - 1) < at(front, diagonal + 1));
    const before = isDown ? diagonal + 1 : diagonal - 1;
    const [fromX, fromY] = [at(front, before), at(front, before) - before];
    for (; x > fromX && y > fromY; y -= 1) lines.push([" ", old[(x -= 1)]!]);
    if (edits === 0) break;
    if (isDown) lines.push(["+", now[(y -= 1)]!]);
    else lines.push(["-", old[(x -= 1)]!]);
  }
  return lines.reverse();
}

function hunks(lines: readonly Line[]): string[] {
  const shown: string[] = [];
  let [oldLine, newLine, end] = [0, 0, 0];
  for (let index = 0; index < lines.length; ) {
    if (lines[index]![0] === " ") {
      index += 1;
      continue;
    }
    const start = Math.max(end, index - AROUND);
    for (const [sign] of lines.slice(end, start)) if (sign === " ") [oldLine, newLine] = [oldLine + 1, newLine + 1];
    let last = index;
    for (let next = index; next < lines.length && next - last <= 2 * AROUND; next += 1)
      if (lines[next]![0] !== " ") last = next;
    end = Math.min(lines.length, last + AROUND + 1);
    const part = lines.slice(start, end);
    const [olds, news] = [part.filter(([sign]) => sign !== "+").length, part.filter(([sign]) => sign !== "-").length];
    const place = (line: number, count: number) => `${count === 0 ? line : line + 1},${count}`;
    shown.push(`@@ -${place(oldLine, olds)} +${place(newLine, news)} @@`, ...part.map(([sign, text]) => sign + text));
    [oldLine, newLine, index] = [oldLine + olds, newLine + news, end];
  }
  return shown;
}
