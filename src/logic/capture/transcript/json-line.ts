/**
 * The objects on one line of a transcript.
 *
 * A host that was interrupted or raced leaves broken lines and lines with two objects glued together. What can be read
 * is read; nothing throws.
 */
export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function objectsOf(line: string): { objects: Json[]; isSkipped: boolean } {
  if (line.trim() === "") return { objects: [], isSkipped: false };
  const whole = parsed(line);
  if (whole !== undefined) return isObject(whole) ? { objects: [whole], isSkipped: false } : SKIPPED;
  if (line.length > RECOVERED_CHARACTERS) return SKIPPED;
  const { objects, isTorn } = outermostObjects(line);
  const last = objects.length === 0 ? objectAfterTear(line) : undefined;
  return last === undefined ? { objects, isSkipped: isTorn } : { objects: [last], isSkipped: true };
}

/** A longer broken line is not worth the time and memory. */
const RECOVERED_CHARACTERS = 1_000_000;
const OBJECTS_MOST = 8;
const LINE_START = /\{"(?:type|parentUuid|timestamp|sessionId)":/g;
const SKIPPED = { objects: [], isSkipped: true };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A broken line is expected; the caller counts it.
    return undefined;
  }
}

/** The objects from each outermost brace to its partner; torn when one is no JSON or anything else lies outside. */
function outermostObjects(line: string): { objects: Json[]; isTorn: boolean } {
  const objects: Json[] = [];
  let isTorn = false;
  let seen = 0;
  let depth = 0;
  let start = 0;
  for (let index = 0; index < line.length; index += 1) {
    const character = line[index]!;
    if (character === "{") {
      if (depth === 0 && seen === OBJECTS_MOST) return { objects, isTorn: true };
      if (depth === 0) start = index;
      depth += 1;
    } else if (depth === 0) isTorn ||= character.trim() !== "";
    else if (character === '"') index = endOfString(line, index);
    else if (character === "}") {
      depth -= 1;
      if (depth > 0) continue;
      seen += 1;
      const object = parsed(line.slice(start, index + 1));
      if (isObject(object)) objects.push(object);
      else isTorn = true;
    }
  }
  return { objects, isTorn: isTorn || depth > 0 };
}

function endOfString(line: string, start: number): number {
  for (let index = start + 1; index < line.length; index += 1) {
    if (line[index] === "\\") index += 1;
    else if (line[index] === '"') return index;
  }
  return line.length;
}

/** A line that a crash cut short, with the next one written behind it. */
function objectAfterTear(line: string): Json | undefined {
  let tries = 0;
  for (const { index } of line.slice(1).matchAll(LINE_START)) {
    const object = parsed(line.slice(index + 1));
    if (isObject(object)) return object;
    tries += 1;
    if (tries === OBJECTS_MOST) return undefined;
  }
  return undefined;
}

export const textIn = (object: Json, field: string): string | null => {
  const value = object[field];
  return typeof value === "string" ? value : null;
};

/** Milliseconds of an ISO time; null when there is none. */
export function timeOf(value: unknown): number | null {
  const at = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? null : at;
}
