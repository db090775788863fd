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

/** What a person filled in, by field. */
export type ReplyValues = Record<string, string | boolean>;

export type Reply = { action: "accept"; values: ReplyValues } | { action: "decline" } | { action: "cancel" };

/** A person's yes to a question, good for exactly what it was about. */
export interface Consent {
  values: ReplyValues;
  about: string;
}
