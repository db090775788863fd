/** What the runner asks of a host, and what it hears back: an answer, a failure, and whatever should not have been seen. */
import fc from "fast-check";
import type { AnyOperation } from "../../src/catalog/operation.ts";
import type { Question, Reply } from "../../src/catalog/question.ts";
import type { Failure } from "../../src/errors.ts";
import { hostileText } from "./strings.ts";

/** How a call is made, apart from its input; each host takes what it understands. */
export interface Style {
  dryRun: boolean;
  json: boolean;
  inline: boolean;
  positional: boolean;
  /** Runs the shipped program rather than its parts. */
  ownProcess: boolean;
  person: "absent" | "yes" | "no" | "leaves" | "rubbish";
  rubbish: string;
}

export interface Call {
  op: AnyOperation;
  input: unknown;
  style: Style;
}

export interface Outcome {
  /** Null where a host gave only text. */
  answer: unknown;
  failure: ReturnType<Failure["toJSON"]>["error"] | null;
  /** What was wrong with how it was said. */
  complaints: string[];
}

export interface Host {
  readonly home: string;
  /** Whether it can run a verb without keeping anything. */
  readonly hasDryRun: boolean;
  call(call: Call): Promise<Outcome>;
  close(): Promise<void>;
}

const oneIn = (count: number): fc.Arbitrary<boolean> => fc.nat(count - 1).map((drawn) => drawn === 0);

export const styles: fc.Arbitrary<Style> = fc.record({
  dryRun: oneIn(10),
  json: oneIn(4).map((isText) => !isText),
  inline: fc.boolean(),
  positional: fc.boolean(),
  ownProcess: oneIn(100),
  person: fc.constantFrom("absent", "yes", "yes", "yes", "no", "leaves", "rubbish"),
  rubbish: hostileText,
});

/** A person's reply to any question. */
export function replyTo({ fields }: Question, { person, rubbish }: Style): Reply {
  if (person === "leaves") return { action: "cancel" };
  if (person === "no") return { action: "decline" };
  const values = Object.entries(fields).map(([name, field]): [string, string | boolean] => {
    if (person === "rubbish") return [name, rubbish];
    if (field.kind === "confirm") return [name, true];
    return [name, field.kind === "choice" ? (field.options[0] ?? "") : (field.default ?? "because")];
  });
  return { action: "accept", values: Object.fromEntries(values) };
}

const STACK = /\n\s+at .+:\d+:\d+|node:internal|UnhandledPromiseRejection/;

export const showsStack = (text: string): boolean => STACK.test(text);

/** The value as JSON would carry it; undefined where it would not. */
export function plain(value: unknown): unknown {
  const seen = new Set<unknown>();
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === "bigint") return Number(part);
    if (typeof part !== "object" || part === null) return part;
    if (seen.has(part)) return null;
    seen.add(part);
    return part;
  }) as string | undefined;
  return text === undefined ? undefined : JSON.parse(text);
}

/** As a script would call it. */
export const PLAIN: Style = {
  dryRun: false,
  json: true,
  inline: true,
  positional: false,
  ownProcess: true,
  person: "yes",
  rubbish: "",
};
