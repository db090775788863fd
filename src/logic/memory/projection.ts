/**
 * Converts one kind of object into another, field by field, by a table that is read once.
 *
 * Every result is a copy of one blank object, so that all share a hidden class: adding the fields one by one would
 * make slow objects, and rows are read by the hundred.
 */
export interface Part {
  from: string;
  to: string;
  /** Null if the value stays as it is. */
  convert: ((value: never) => unknown) | null;
}

export function projection<Target>(parts: readonly Part[]): (source: object) => Target {
  const blank: Record<string, unknown> = Object.fromEntries(parts.map(({ to }) => [to, null]));
  const steps = parts as readonly { from: string; to: string; convert: ((value: unknown) => unknown) | null }[];
  return (source) => {
    const target = { ...blank };
    for (const { from, to, convert } of steps) {
      const value = (source as Record<string, unknown>)[from];
      target[to] = convert === null ? value : convert(value);
    }
    return target as Target;
  };
}
