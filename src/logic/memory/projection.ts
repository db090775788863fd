/**
 * Makes one kind of object out of another, field by field, from a table that is read once.
 *
 * Every result is a copy of one blank object, so all have the same hidden class: adding fields one by one would
 * make slow objects, and rows are read by the hundred.
 */
export interface Part {
  from: string;
  to: string;
  /** Null where the value is taken as it is. */
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
