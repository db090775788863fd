/**
 * The fields of an item, each declared once.
 *
 * The type, the row, the answer, the line of an export, what an import accepts, defaults, redaction and search all
 * follow from this table. It is plain data, so loading it compiles no validator. The order is the order of exports.
 */
export const SCOPES = ["working", "project", "global"] as const;

export const STATUSES = ["active", "archived", "superseded", "pruned", "pending", "ratified", "rejected"] as const;

export const SOURCES = [
  "user_explicit",
  "ai_inferred",
  "system_auto",
  "extraction",
  "manual",
  "code_index",
  "file-index",
] as const;

/** The kind of value. Limits apply to imported files; verbs may accept less. */
type Shape =
  | { kind: "id" | "hash" | "flag" | "moment" | "object" }
  /** `maximum` counts UTF-16 units, `characters` counts code points. */
  | { kind: "text"; maximum?: number; characters?: number; isLine?: true }
  | { kind: "texts"; maximum: number; most: number; isLine?: true }
  | { kind: "number" | "whole"; minimum: number; maximum: number }
  | { kind: "choice"; of: readonly string[] }
  | { kind: "group"; fields: Readonly<Record<string, Field>> };

export type Field = Shape & {
  /** May be null, and is null in a new item. */
  nullable?: true;
  /** The value in a new item. */
  initial?: unknown;
  /** Free text, from which secrets are redacted. */
  free?: true;
  /** Given by callers: `remember` accepts it, `update` changes it. */
  said?: true;
  /** Split into passages, or indexed beside each of them. */
  searched?: "cut" | "beside";
  /** Never changed by a revision. */
  fixed?: true;
  /** Omitted from answers. */
  hidden?: true;
  /** Not in the line of an item in an export: access records have their own lines. */
  apart?: true;
  /** Omitted from exports when null; files and journals from before it existed lack it. */
  later?: true;
};

const MANY = 1_000_000_000;

export const CONTEXT_FIELDS = {
  branch: { kind: "text", maximum: 1_000, nullable: true },
  commits: { kind: "texts", maximum: 1_000, most: 1_000 },
  files: { kind: "texts", maximum: 1_000, most: 1_000 },
  symbols: { kind: "texts", maximum: 1_000, most: 1_000 },
  language: { kind: "text", maximum: 1_000, nullable: true },
} as const satisfies Record<string, Field>;

export const ITEM_FIELDS = {
  id: { kind: "id", fixed: true },
  type: { kind: "text", maximum: 100, isLine: true, free: true, said: true },
  scope: { kind: "choice", of: SCOPES, initial: "project" },
  status: { kind: "choice", of: STATUSES, initial: "active" },
  title: { kind: "text", maximum: 1_000, nullable: true, free: true, said: true, searched: "beside" },
  content: { kind: "text", free: true, said: true, searched: "cut" },
  summary: { kind: "text", characters: 200 },
  background: { kind: "text", maximum: 2_000, nullable: true, later: true, free: true, said: true, searched: "cut" },
  tags: {
    kind: "texts",
    maximum: 100,
    most: 50,
    isLine: true,
    initial: [],
    free: true,
    said: true,
    searched: "beside",
  },
  confidence: { kind: "number", minimum: 0, maximum: 1, initial: 1, said: true },
  priority: { kind: "whole", minimum: 1, maximum: 10, initial: 5, said: true },
  pinned: { kind: "flag", initial: false, said: true },
  source: { kind: "choice", of: SOURCES },
  host: { kind: "text", maximum: 10_000, free: true },
  session: { kind: "text", maximum: 10_000, free: true },
  context: { kind: "group", fields: CONTEXT_FIELDS, free: true },
  label: { kind: "text", maximum: 1_000, nullable: true, free: true, hidden: true },
  path: { kind: "text", maximum: 10_000, nullable: true, free: true, hidden: true },
  hash: { kind: "hash" },
  version: { kind: "whole", minimum: 1, maximum: MANY, initial: 1, fixed: true },
  createdAt: { kind: "moment", fixed: true },
  updatedAt: { kind: "moment" },
  accessedAt: { kind: "moment", fixed: true, apart: true },
  accessCount: { kind: "whole", minimum: 0, maximum: MANY, initial: 0, fixed: true, apart: true },
  expiresAt: { kind: "moment", nullable: true },
  validFrom: { kind: "moment", nullable: true },
  validUntil: { kind: "moment", nullable: true },
  supersededBy: { kind: "id", nullable: true },
  details: { kind: "object", free: true, hidden: true },
} as const satisfies Record<string, Field>;

export type ItemFields = typeof ITEM_FIELDS;
export type FieldName = keyof ItemFields;

interface Kinds {
  id: string;
  hash: string;
  text: string;
  texts: string[];
  number: number;
  whole: number;
  moment: number;
  flag: boolean;
  object: Record<string, unknown>;
}
type Plain<One> = One extends { kind: "choice"; of: readonly (infer Choice)[] }
  ? Choice
  : One extends { kind: "group"; fields: infer Fields }
    ? Values<Fields>
    : One extends { kind: infer Kind extends keyof Kinds }
      ? Kinds[Kind]
      : never;
/** The values of a table of fields. */
export type Values<Fields> = {
  -readonly [Name in keyof Fields]: Plain<Fields[Name]> | (Fields[Name] extends { nullable: true } ? null : never);
};

/** The names of the fields with this mark. */
export type Marked<Mark> = {
  [Name in FieldName]: ItemFields[Name] extends Mark ? Name : never;
}[FieldName];

export const FIELDS = Object.entries(ITEM_FIELDS) as readonly (readonly [FieldName, Field])[];

const namesOf = <Name extends FieldName>(isMeant: (field: Field) => boolean): readonly Name[] =>
  FIELDS.filter(([, field]) => isMeant(field)).map(([name]) => name as Name);

export type SaidField = Marked<{ said: true }>;
export const SAID_FIELDS = namesOf<SaidField>(({ said }) => said === true);

export type FixedField = Marked<{ fixed: true }>;
export const FIXED_FIELDS = namesOf<FixedField>(({ fixed }) => fixed === true);

export type CutField = Marked<{ searched: "cut" }>;
export const CUT_FIELDS = namesOf<CutField>(({ searched }) => searched === "cut");
/** The fields that the index of an item depends on; the type decides whether it has vectors. */
export const INDEXED_FIELDS: readonly FieldName[] = [...namesOf(({ searched }) => searched !== undefined), "type"];

export type ExportedField = Exclude<FieldName, Marked<{ apart: true }>>;
export const EXPORTED_FIELDS = FIELDS.filter(([, { apart }]) => !apart) as readonly (readonly [ExportedField, Field])[];

export const LATER_FIELDS = namesOf(({ later }) => later === true);

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
