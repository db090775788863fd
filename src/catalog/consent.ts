/**
 * Consent: a person's answer to a verb's question, valid for exactly what they were asked.
 *
 * Data may change while a person thinks, so the question is built again after the answer.
 * If it differs, the answer does not count and the person is asked again. The text they
 * see is cleaned, wrapped and shortened here, the same for every host.
 */
import { typedCommand } from "../cli/typed-command.ts";
import { Failure } from "../errors.ts";
import type { World } from "../world.ts";
import type { AnyOperation } from "./operation.ts";
import { shownQuestion } from "./question-rows.ts";
import type { Consent, Question, QuestionField, Reply, ReplyValues } from "./question.ts";

/** Asks a person; `isAgain` when the question changed meanwhile. A host without a person passes no `Ask`. */
export type Ask = (question: Question, isAgain?: boolean) => Promise<Reply>;

/** Where a person can answer instead, and about which item; null if the call names none. */
export type AskElsewhere = (item: string | null) => string;

const MOST_ROUNDS = 3;

type Fields = Record<string, unknown>;

/** Null when no consent is needed, or when nobody can be asked and the verb allows that. */
export async function consentTo(
  op: AnyOperation,
  input: Fields,
  world: World,
  { ask, askElsewhere }: { ask?: Ask | undefined; askElsewhere?: AskElsewhere | undefined },
): Promise<Consent | null> {
  let question = await questionOf(op, input, world);
  if (question === null || (ask === undefined && question.mayGoUnasked)) return null;
  if (ask === undefined) {
    const address = askElsewhere?.(itemOf(op, input));
    const page = address === undefined ? "" : `answer at ${address} after \`stele open\`, or `;
    const hint = `A person can ${page}run \`${typedCommand(op, input)}\` in a terminal.`;
    throw new Failure("refused", `${op.name} needs a person's answer, but nobody can be asked here.`, hint);
  }
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const values = await answerTo(op, question, (shown) => ask(shown, round > 0));
    const now = await questionOf(op, input, world);
    if (now === null) break;
    if (isSame(question, now)) return { values, about: aboutOf(question) };
    question = now;
  }
  throw new Failure(
    "conflict",
    `What ${op.name} would do changed while waiting for the answer; nothing was changed.`,
    "Check the current state, then try again.",
  );
}

/** The consent that a dry run supposes: nobody is asked about something that is not done. */
export async function supposedConsent(
  op: AnyOperation,
  input: Fields,
  world: World,
  { ask }: { ask?: Ask | undefined },
): Promise<Consent | null> {
  const question = await questionOf(op, input, world);
  if (question === null || (ask === undefined && question.mayGoUnasked)) return null;
  const values = Object.entries(question.fields).map(([name, field]) => [name, supposedValue(field)]);
  return { values: Object.fromEntries(values) as ReplyValues, about: aboutOf(question) };
}

/** The item that the call is about: the first of its words that a shell would complete with one. */
function itemOf({ cli }: AnyOperation, input: Fields): string | null {
  const field = cli.positional?.find((name) => cli.completes?.[name] !== undefined);
  const item = field === undefined ? undefined : input[field];
  return typeof item === "string" ? item : null;
}

function supposedValue(field: QuestionField): string | boolean {
  if (field.kind === "confirm") return true;
  return (field.kind === "text" ? field.default : field.options[0]) ?? "";
}

const questionOf = async (op: AnyOperation, input: Fields, world: World): Promise<Question | null> =>
  (await op.question?.(input, world)) ?? null;

const isSame = (one: Question, two: Question): boolean =>
  one.message === two.message && aboutOf(one) === aboutOf(two) && sameFields(one) === sameFields(two);
const sameFields = ({ fields }: Question): string => JSON.stringify(fields);

/** A question without `about` is about its whole message. */
const aboutOf = ({ about, message }: Question): string => about ?? message;

async function answerTo(
  op: AnyOperation,
  question: Question,
  ask: (shown: Question) => Promise<Reply>,
): Promise<ReplyValues> {
  const reply = await ask({ ...question, message: shownQuestion(question.message), about: aboutOf(question) });
  if (reply.action === "cancel") {
    throw new Failure(
      "refused",
      `${op.name} was cancelled; nothing was changed.`,
      "Ask again when the person is ready.",
    );
  }
  if (reply.action === "decline" || deniesAll(question, reply.values)) {
    throw new Failure(
      "refused",
      `${op.name} was declined; nothing was changed.`,
      "Respect the answer; do not ask again.",
    );
  }
  return checkedValues(question, reply.values);
}

/** "No" to a form that only asks for consent is a refusal, however the host delivers it. */
function deniesAll(question: Question, values: ReplyValues): boolean {
  const names = Object.keys(question.fields);
  return names.length > 0 && names.every((name) => question.fields[name]?.kind === "confirm" && values[name] === false);
}

function checkedValues(question: Question, values: ReplyValues): ReplyValues {
  const checked: ReplyValues = {};
  for (const [name, field] of Object.entries(question.fields)) {
    const value = values[name] ?? (field.kind === "text" ? field.default : undefined);
    if (value === undefined || !fits(field, value)) {
      throw new Failure("invalid_input", `${name} ${expected(field)}.`, "Answer the question again.");
    }
    checked[name] = value;
  }
  return checked;
}

function fits(field: QuestionField, value: string | boolean): boolean {
  if (field.kind === "confirm") return typeof value === "boolean";
  return typeof value === "string" && (field.kind === "text" || field.options.includes(value));
}

function expected(field: QuestionField): string {
  if (field.kind === "confirm") return "must be true or false";
  return field.kind === "text" ? "must be text" : `must be one of ${field.options.join(", ")}`;
}
