/** `stele demo`: shows what Stele does, in the terminal or, with `--page`, on the page of a throwaway project. */
import { runPageDemo } from "../../demo/page.ts";
import { runDemo } from "../../demo/terminal.ts";
import { Failure } from "../../errors.ts";
import { commandFlags } from "../commands.ts";
import type { Io } from "../terminal.ts";

export async function run(argv: readonly string[], io: Io): Promise<number> {
  const { page, print, port } = flagsOf(argv);
  return page ? runPageDemo({ print, port }, io) : runDemo(process);
}

function flagsOf(argv: readonly string[]) {
  const flag = { type: "boolean", default: false } as const;
  const options = { page: flag, print: flag, port: { type: "string" } } as const;
  const { values } = commandFlags("demo", argv, { options });
  if (values.page || (!values.print && values.port === undefined)) return values;
  throw new Failure("invalid_input", "--print and --port are for the page.", "Add --page.");
}
