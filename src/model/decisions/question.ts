/** Question: what a verb must ask a person before it runs. Flat, so that every host can show it. */
export type QuestionField =
  | { kind: "confirm"; label: string }
  | { kind: "text"; label: string; default?: string }
  | { kind: "choice"; label: string; options: readonly string[] };

export interface Question {
  message: string;
  fields: Record<string, QuestionField>;
  /** Identifies everything that is consented to, including what the message leaves out. Not shown. */
  about?: string;
  /** If nobody can be asked, the verb runs anyway and does what it may without consent. */
  mayGoUnasked?: boolean;
}

export type Reply =
  | { action: "accept"; values: Record<string, string | boolean> }
  | { action: "decline" }
  | { action: "cancel" };
