/**
 * Statements with named parameters, as `@name`, for a protocol that numbers them.
 *
 * Each text is read once. Every connection prepares a statement under the same name when it first runs it.
 */

export type Value = string | number | boolean | null | Buffer | readonly (string | number | Buffer | null)[];
/** By name, or in the order of their numbers. */
export type Given = Parameters | readonly Value[];
export type Parameters = Readonly<Record<string, Value | undefined>>;

/** Without parameters the text may hold several statements. */
export type Query = (sql: string, parameters?: Given, rowMode?: "array") => Promise<Answer>;
interface Answer {
  rows: unknown[];
  rowCount: number | null;
}

export interface Numbered {
  name: string;
  text: string;
  /** The names in the order of their numbers. */
  parameters: readonly string[];
}

export type Numbering = (sql: string) => Numbered;

export function numbering(): Numbering {
  const known = new Map<string, Numbered>();
  return (sql) => {
    const found = known.get(sql);
    if (found) return found;
    const parameters: string[] = [];
    const text = sql.replace(/@([a-z]\w*)/gi, (_, name: string) => {
      if (!parameters.includes(name)) parameters.push(name);
      return `$${parameters.indexOf(name) + 1}`;
    });
    const numbered = { name: `stele_${known.size + 1}`, text, parameters };
    known.set(sql, numbered);
    return numbered;
  };
}

/**
 * Values by number. A NUL cannot be part of a text of Postgres; a replacement character stands in for it. Whole numbers
 * have an end there.
 */
export const valuesOf = ({ parameters }: Numbered, given: Given): unknown[] =>
  isNumbered(given) ? given.map(storable) : parameters.map((name) => storable(given[name] ?? null));

const isNumbered = (given: Given): given is readonly Value[] => Array.isArray(given);

function storable(value: Value): unknown {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
  if (value === Infinity) return Number.MAX_SAFE_INTEGER;
  if (value === -Infinity) return Number.MIN_SAFE_INTEGER;
  return Array.isArray(value) ? value.map((one: Value) => storable(one)) : value;
}
