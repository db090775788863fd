/** Question: what a verb must ask a person before it runs. Flat, so that every host can show it. */
export type QuestionField =
  | { kind: "confirm"; label: string }
  | { kind: "text"; label: string; default?: string }
  | { kind: "choice"; label: string; options: readonly string[] };

export interface Question {
  message: string;
  fields: Record<string, QuestionField>;
  /** Stands for all that is consented to, also for what the message leaves out. Not shown. */
  about?: string;
  /** It is done, or as much of it as may be, where nobody can be asked. */
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
