/**
 * Picker: a person chooses one of a few lines, with the arrow keys or by number.
 *
 * It is drawn on standard error and removed again, so that standard output has the answer alone. A terminal that sends
 * no single keys, or cannot move the cursor, gets a numbered list instead.
 */
import { emitKeypressEvents, type Key } from "node:readline";
import { styleText } from "node:util";
import { parseInput } from "../catalog/dispatch.ts";
import type { AnyOperation } from "../catalog/operation.ts";
import { Failure } from "../errors.ts";
import type { PossibleTarget } from "../memory/find-item.ts";
import { handleOf } from "../memory/handles.ts";
import { visible } from "../text/paragraph.ts";
import { shownLine } from "../text/short-text.ts";
import type { World } from "../world.ts";
import { TYPED } from "./fields.ts";
import { fitted } from "./layout.ts";
import { promptAt } from "./prompt.ts";
import type { Io } from "./terminal.ts";

/** The place of the chosen line; null if the person chose none. */
type Picked = number | "interrupted" | null;

interface PickerOptions {
  title: string;
  lines: readonly string[];
  isDumb: boolean;
  /** Whether Enter alone chooses the first line. Not where a line typed ahead, or pasted, could do harm. */
  isFirstChosen: boolean;
}

const NONE = -1;

const KEYS_SHOWN = "↑ ↓ and Enter, or a number; Esc cancels";
const ROWS_BESIDE = 3;
const NUMBER_COLUMNS = 6;
/** A terminal that does not know its size says 0. */
const USUAL_COLUMNS = 80;
/** Fewer would not show a whole handle, and several lines would look the same. */
const LEAST_COLUMNS = 20;
/** Bytes of an arrow key may arrive apart; those of a lone Esc are not waited for much longer. */
const ESCAPE_MS = 50;
const [HIDE_CURSOR, SHOW_CURSOR, CLEAR_BELOW] = ["\u001b[?25l", "\u001b[?25h", "\u001b[J"];

async function pick(io: Io, { title, lines, isDumb, isFirstChosen }: PickerOptions): Promise<Picked> {
  const { stdin, stderr } = io;
  const hasRoom = (stderr.rows || Infinity) >= lines.length + ROWS_BESIDE;
  if (stdin.setRawMode === undefined || isDumb || !hasRoom) return pickByNumber(io, title, lines);
  if (stdin.readableEnded) return null;
  let at = isFirstChosen ? 0 : NONE;
  const draw = () => stderr.write(drawing(title, lines, at, stderr));
  return new Promise((resolve) => {
    function done(picked: Picked): void {
      stdin.off("keypress", onKey);
      stdin.off("end", onEnd);
      stdin.setRawMode!(false);
      stdin.pause();
      stderr.write(`${CLEAR_BELOW}${SHOW_CURSOR}`);
      resolve(picked);
    }
    function onKey(typed: string | undefined, key: Key): void {
      const next = afterKey(typed, key, at, lines.length);
      if (typeof next !== "object" || next === null) return done(next);
      at = next.at;
      draw();
    }
    // The end of the input may have been typed before there was a menu.
    const onEnd = () => done(null);
    stdin.once("end", onEnd);
    // The type wants a whole interface, of which only this is read.
    emitKeypressEvents(stdin, { escapeCodeTimeout: ESCAPE_MS } as unknown as undefined);
    stdin.on("keypress", onKey);
    stdin.setRawMode!(true);
    stdin.resume();
    stderr.write(HIDE_CURSOR);
    draw();
  });
}

/** Where a key leads: to another line, or to an end. */
export function afterKey(
  typed: string | undefined,
  { name, ctrl, sequence }: Pick<Key, "name" | "ctrl" | "sequence">,
  at: number,
  count: number,
): Picked | { at: number } {
  if (ctrl && name === "c") return "interrupted";
  if (name === "escape" || typed === "q" || (ctrl && name === "d")) return null;
  // What a terminal makes of a Ctrl-D that was typed before there was a menu.
  if (sequence === "\0") return null;
  if (name === "return" || name === "enter") return at === NONE ? { at } : at;
  if (name === "up" || typed === "k") return { at: at <= 0 ? count - 1 : at - 1 };
  if (name === "down" || name === "tab" || typed === "j") return { at: (at + 1) % count };
  const number = /^[1-9]$/.test(typed ?? "") ? Number(typed) : 0;
  return number >= 1 && number <= count ? number - 1 : { at };
}

/** The cursor ends where the drawing begins, so that the next one, or the answer, takes its place. */
function drawing(title: string, lines: readonly string[], at: number, stderr: Io["stderr"]): string {
  const columns = (stderr.columns || USUAL_COLUMNS) - 1;
  const paint = (style: "bold" | "dim" | "cyan", text: string) =>
    styleText(style, text, { stream: stderr, validateStream: true });
  const rows = [
    paint("bold", fitted(visible(title), columns)),
    ...lines.map((line, index) => {
      const row = fitted(`${index === at ? ">" : " "} ${index + 1}  ${visible(line)}`, columns);
      return index === at ? paint("cyan", row) : row;
    }),
    paint("dim", fitted(KEYS_SHOWN, columns)),
  ];
  return `\r${CLEAR_BELOW}${rows.join("\r\n")}\r\u001b[${rows.length - 1}A`;
}

async function pickByNumber(io: Io, title: string, lines: readonly string[]): Promise<Picked> {
  const columns = Math.max(LEAST_COLUMNS, (io.stderr.columns || USUAL_COLUMNS) - NUMBER_COLUMNS);
  const options = lines.map((line) => fitted(visible(line), columns));
  const reply = await promptAt(io, { attended: true })?.({
    message: title,
    fields: { which: { kind: "choice", label: "Which?", options } },
  });
  return reply?.action === "accept" ? options.indexOf(String(reply.values["which"])) : null;
}

/**
 * What a person at a terminal does before a verb runs: choose among several items, or edit a text.
 *
 * Loaded only if somebody is there and the verb has a use for it. A pipe, a program or `--json` never gets here.
 */
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
