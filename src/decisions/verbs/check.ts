/** Report contradictions between a proposed change of specifications and the existing ones. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { counted } from "../../text/short-text.ts";
import { shortText } from "../../text/text.ts";
import { check } from "../check.ts";

const LevelName = z.enum(["allow", "warn", "reject"]);
const Side = z.object({ path: z.string(), name: z.string().nullable(), text: z.string() });

export default defineOperation({
  name: "check",
  group: "corpus",
  summary:
    "Check a proposed change to specifications (a folder with `specs/`), or one document, against existing ones. " +
    "Exits with 1 on a contradiction, for CI.",
  effect: "read",
  repeatable: true,
  input: z.object({
    path: shortText(4_000).describe("Folder of the proposed change, or a document."),
    against: shortText(4_000).optional().describe("The existing document, or a folder of documents."),
  }),
  output: z.object({
    level: LevelName.describe("Level of the worst pair; at least a warning if something was skipped."),
    pairs: z
      .array(z.object({ energy: z.number(), level: LevelName, a: Side, b: Side }))
      .describe("Pairs worth reviewing, worst first."),
    compared: z.int().describe("Number of pairs compared."),
    skipped: z.int().describe("Number of requirements not compared, because a document has too many."),
  }),
  paths: ["path", "against"],
  cli: {
    positional: ["path"],
    examples: ["stele check cyberk-flow/changes/add-login", "stele check new.md --against docs/rules.md"],
  },
  run: async ({ path, against }, world) => check(path, against, world),
  render: ({ level, pairs, compared, skipped }) => {
    const lines = pairs.flatMap(({ energy, level: own, a, b }) => [
      `${own} ${energy}: ${oneLine(a.text, 160)}`,
      `  against ${b.path}: ${oneLine(b.text, 160)}`,
    ]);
    const left = skipped > 0 ? `, ${counted(skipped, "requirement")} skipped: there are too many in one document` : "";
    return [...lines, `${level}: ${counted(compared, "pair")} compared${left}`].join("\n");
  },
  isBad: ({ level }) => level === "reject",
});
