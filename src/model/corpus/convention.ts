/** Counts of the code index from which conventions are read. */

/** How a name is written; "other" is anything else, "plain" a single word in lower case, which fits several. */
export const NAME_STYLES = [
  "camelCase",
  "PascalCase",
  "snake_case",
  "UPPER_CASE",
  "kebab-case",
  "plain",
  "other",
] as const;
export type NameStyle = (typeof NAME_STYLES)[number];

export interface StyleCount {
  language: string | null;
  /** functions: and methods; types: also classes, interfaces and enums. */
  named: "functions" | "types" | "constants";
  style: NameStyle;
  names: number;
  files: number;
  /** One place of this style. */
  path: string;
  line: number;
}

export interface ExportCount {
  language: string | null;
  isDefault: boolean;
  files: number;
  path: string;
  line: number;
}

export interface ConventionCounts {
  /** Of indexed code, in order. */
  paths: string[];
  styles: StyleCount[];
  exports: ExportCount[];
}
