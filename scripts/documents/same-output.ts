/**
 * Whether a command printed what a document says it prints.
 *
 * Handles, dates and durations differ from run to run, and relevance a little from machine to machine. Everything else
 * must be equal to the letter, and a handle must stand for the same thing throughout a document. A line `…` stands for any
 * number of lines.
 */
const VARYING =
  /(?<uuid>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|(?<handle>\b[0-9a-f]{8}\b)|(?<time>\b20\d\d-\d\d-\d\d(?:(?:T| (?=\d\d:))[\d:.]+Z?)?|\b\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b)|(?<percent>\d+) %|(?<seconds>\d+(?:\.\d+)?) (?:m?s|seconds)\b|(?<strength>\b[01]\.\d\d\b)/g;

/** How far a percentage may be from what a document says: processors round differently. */
const PERCENT_TOLERANCE = 10;

/** The handles of a document and those they stand for in this run. */
export type Handles = Map<string, string>;

/** What differs, or null. Learns what the handles stand for. */
export function differenceOf(expected: string, actual: string, handles: Handles): string | null {
  const shown = withoutUnshown(expected, actual);
  if (shown === null) return "the words differ";
  const [said, printed] = [[...expected.matchAll(VARYING)], [...shown.matchAll(VARYING)]];
  for (const [index, { groups: one = {} }] of said.entries()) {
    const other = printed[index]!.groups ?? {};
    const handle = one["handle"];
    if (handle !== undefined) {
      const known = handles.get(handle);
      const isTaken = known === undefined && [...handles.values()].includes(other["handle"]!);
      if (isTaken || (known ?? other["handle"]) !== other["handle"]) return `${handle} stands for something else`;
      handles.set(handle, other["handle"]!);
    }
    const distance = Math.abs(Number(one["percent"] ?? 0) - Number(other["percent"] ?? 0));
    if (distance > PERCENT_TOLERANCE) return `${one["percent"]} % is now ${other["percent"]} %`;
  }
  return null;
}

/** What was printed, as far as the document shows it; null if it shows something else. */
function withoutUnshown(expected: string, actual: string): string | null {
  const lines = actual.split("\n");
  const shown: string[] = [];
  for (const [index, part] of expected.split(/^…$/m).entries()) {
    const wanted = part
      .replace(/^\n|\n$/g, "")
      .split("\n")
      .map(skeletonOf);
    const starts = lines
      .map((_line, at) => at)
      .filter((at) => wanted.every((line, by) => skeletonOf(lines[at + by] ?? "") === line));
    const start = index === 0 ? starts.find((at) => at === 0) : starts.at(-1);
    if (start === undefined) return null;
    shown.push(...lines.splice(0, start + wanted.length).slice(start));
  }
  return lines.length === 0 ? shown.join("\n") : null;
}

/** The text with every varying part replaced by its kind. */
const skeletonOf = (text: string): string =>
  text.replace(VARYING, (...found) => {
    const groups = found.at(-1) as Record<string, string | undefined>;
    return `<${Object.keys(groups).find((name) => groups[name] !== undefined)}>`;
  });

/** Guesses what unknown handles stand for where the words differ, so that the rest of the document can still be run. */
export function guessHandles(expected: string, actual: string, handles: Handles): void {
  const [said, printed] = [expected, actual].map((text) => [
    ...new Set([...text.matchAll(VARYING)].flatMap(({ groups }) => groups?.["handle"] ?? [])),
  ]);
  for (const [index, handle] of said!.entries())
    if (!handles.has(handle) && printed![index] !== undefined) handles.set(handle, printed![index]);
}

/** A command of the document with the handles of this run. */
export const inThisRun = (command: string, handles: Handles): string =>
  command.replace(VARYING, (found) => handles.get(found) ?? found);

/** An output of this run with the handles of the document, as far as it has them. */
export function asInDocument(output: string, handles: Handles): string {
  const back = new Map([...handles].map(([inDocument, here]) => [here, inDocument]));
  return output.replace(VARYING, (found) => back.get(found) ?? found);
}
