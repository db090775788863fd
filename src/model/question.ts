/** Question: what a verb must ask a person before it runs. Flat, so that every host can show it. */
export type QuestionField =
  | { kind: "confirm"; label: string }
  | { kind: "text"; label: string; default?: string }
  | { kind: "choice"; label: string; options: readonly string[] };

export interface Question {
  message: string;
  fields: Record<string, QuestionField>;
  /** The person allowed beforehand that it is done where nobody can be asked. */
  mayGoUnasked?: boolean;
}

export type Reply =
  | { action: "accept"; values: Record<string, string | boolean> }
  | { action: "decline" }
  | { action: "cancel" };
