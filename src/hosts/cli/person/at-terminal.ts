/**
 * What a person at a terminal does before a verb runs: choose among several items, or edit a text.
 *
 * Loaded only if somebody is there and the verb has a use for it. A pipe, a program or `--json` never gets here.
 */
import { Failure } from "../../../errors.ts";
import { handleOf } from "../../../model/memory/handle.ts";
import type { PossibleTarget } from "../../../model/memory/possible-target.ts";
import { shownLine } from "../../../model/text/cut.ts";
import type { AnyOperation } from "../../../operations/operation.ts";
import type { World } from "../../../ports/world.ts";
import { parseInput } from "../../dispatch.ts";
import { TYPED } from "../fields.ts";
import type { Io } from "../terminal.ts";
import { pick } from "./picker.ts";

type Input = Record<string, unknown>;

const SUMMARY_CHARACTERS = 200;

/** The input with the item that the person chose; null if they interrupted. */
export async function withChoice(
  op: AnyOperation,
  input: Input,
  world: World,
  { io, isDumb }: { io: Io; isDumb: boolean },
): Promise<Input | null> {
  const { field, question, candidates } = op.choice!;
  const asked = parseInput(op, input, TYPED);
  const targets = await candidates(asked, world);
  const [only] = targets;
  if (only === undefined) return input;
  // To read the only one that fits needs no question.
  if (targets.length === 1 && op.effect === "read") return { ...input, [field]: only.id };
  const isFirstChosen = op.effect !== "destroy";
  const picked = await pick(io, { title: question(asked), lines: targets.map(lineOf), isDumb, isFirstChosen });
  if (picked === "interrupted") return null;
  const chosen = picked === null ? undefined : targets[picked];
  if (chosen === undefined)
    throw new Failure("refused", "Nothing was chosen; nothing was changed.", "`stele list` shows more handles.");
  return { ...input, [field]: chosen.id };
}

const lineOf = ({ id, type, scope, summary }: PossibleTarget): string =>
  `${handleOf(id)}  ${shownLine(summary, SUMMARY_CHARACTERS)}  (${type}, ${scope})`;

/** The input with the edited text; null if the person left the text as it was. */
export async function withEdited(
  op: AnyOperation,
  input: Input,
  world: World,
  edit: (text: string) => Promise<string>,
): Promise<Input | null> {
  const { field, current } = op.editing!;
  const text = await current(parseInput(op, input, TYPED), world);
  const edited = await edit(text);
  return edited === text || edited.trim() === "" ? null : { ...input, [field]: edited };
}
