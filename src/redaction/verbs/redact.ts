/** Take secrets out of everything that is stored. */
import * as z from "zod";
import { defineOperation } from "../../catalog/operation.ts";
import type { Question } from "../../catalog/question.ts";
import { Failure } from "../../errors.ts";
import { handleOf } from "../../memory/handles.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { counted } from "../../text/short-text.ts";
import { redactStored, SECRET_PLACES, storedSecrets } from "../sweep.ts";

const LISTED = 200;
const SHOWN = 40;

const Finding = z.object({
  shelf: z.enum(SECRET_PLACES).describe("Where it is kept: a shelf, or journal, question, event and the like."),
  id: z.string().describe("Of the item or record."),
  rule: z.string().describe("The rule that found it. The secret itself is never shown."),
  count: z.int(),
});
type Finding = z.infer<typeof Finding>;

const Output = z.object({
  status: z
    .enum(["redacted", "clean", "left"])
    .describe("left: nothing was redacted, because your role allows none of it."),
  items: z.int().describe("Number of items and records that held a secret."),
  secrets: z.int().describe("Number of secrets in them."),
  findings: z.array(Finding).describe(`The first ${LISTED}.`),
  left: z
    .array(Finding)
    .describe(`What your role in a shared project may not change, so that a ratifier must; the first ${LISTED}.`),
  leftItems: z.int().describe("Number of items and records that were left."),
  backups: z.int().describe("Number of copies in backups that were cleaned."),
  traces: z.array(z.string()).describe("Files that may still hold secrets."),
});

export default defineOperation({
  name: "redact",
  group: "care",
  summary:
    "Check everything stored against today's rules and remove secrets that older rules missed. A person is shown " +
    "where they are, never what they are, and must agree: texts keep a placeholder, and every other copy is erased, in " +
    "the journal, caches and backups too. This cannot be undone.",
  effect: "destroy",
  repeatable: true,
  input: z.object({}),
  output: Output,
  cli: { examples: ["stele redact --dry-run", "stele redact"] },
  async question(_, world): Promise<Question | null> {
    const { findings, copies, about } = await storedSecrets(world);
    if (about === null) return null;
    const inBackups = `${counted(copies, "copy", "copies")} in backups`;
    const message = [
      findings.length === 0
        ? `Take whatever today's rules call a secret out of ${inBackups} permanently? The stores hold none.`
        : `Take ${counted(sumOf(findings), "secret")} out of ${counted(placesIn(findings), "item or record", "items and records")} permanently, including journal and backups?`,
      ...byRule(findings),
      ...(copies > 0 && findings.length > 0 ? [`${inBackups} may hold more, which are taken out as well.`] : []),
      "Texts keep a placeholder. This cannot be undone.",
    ];
    return { message: message.join("\n"), about, fields: { redact: { kind: "confirm", label: "Redact" } } };
  },
  run: async (_, world, consent) => {
    const done = await redactStored(consent, world);
    if (!done) {
      const hint = "Nothing is lost; try again when it has finished.";
      throw new Failure("conflict", "Another process is redacting.", hint);
    }
    const { findings, left, backups, traces } = done;
    return {
      status:
        findings.length + backups > 0
          ? ("redacted" as const)
          : left.length > 0
            ? ("left" as const)
            : ("clean" as const),
      items: placesIn(findings),
      secrets: sumOf(findings),
      findings: findings.slice(0, LISTED),
      left: left.slice(0, LISTED),
      leftItems: placesIn(left),
      backups,
      traces,
    };
  },
  isBad: ({ traces, left }) => traces.length + left.length > 0,
  render: (done) => {
    const { status, items, secrets, backups, traces, findings } = done;
    const what = `Took ${counted(secrets, "secret")} out of ${counted(items, "item or record", "items and records")}`;
    const copies = backups > 0 ? `, and cleaned ${counted(backups, "copy of a backup", "copies in backups")}` : "";
    const rest = "Exports, the daily log and copies you made are not affected; delete them yourself.";
    return [
      ...(status === "clean" ? ["Nothing stored holds a secret that today's rules know."] : []),
      ...(status === "redacted" ? [`${what}${copies}.`] : []),
      ...lines(findings, items),
      ...leftLines(done),
      ...(status === "clean"
        ? []
        : [rest, "A secret that was stored may have been read: replace it where it is used."]),
      ...traces.map((path) => `${path} could not be cleaned and may hold secrets.`),
    ].join("\n");
  },
  renderDryRun: (planned) => {
    const { items, secrets, findings } = planned;
    const what = `Would take ${counted(secrets, "secret")} out of ${counted(items, "item or record", "items and records")}:`;
    return [...(items === 0 ? [] : [what]), ...lines(findings, items), ...leftLines(planned)].join("\n");
  },
});

const leftLines = ({ left, leftItems }: Pick<z.infer<typeof Output>, "left" | "leftItems">): string[] =>
  leftItems === 0
    ? []
    : [
        `${counted(leftItems, "item or record holds", "items and records hold")} secrets that your role in the project may not change; a ratifier runs \`stele redact\`:`,
        ...lines(left, leftItems),
      ];

const sumOf = (findings: readonly Finding[]): number => findings.reduce((sum, { count }) => sum + count, 0);

const placesIn = (findings: readonly Finding[]): number =>
  new Set(findings.map(({ shelf, id }) => `${shelf} ${id}`)).size;

function byRule(findings: readonly Finding[]): string[] {
  const rules = Map.groupBy(findings, ({ shelf, rule }) => `${shelf}: ${rule}`);
  const lines = [...rules].map(([name, own]) => `  ${name}, ${sumOf(own)}`);
  return [...lines.slice(0, SHOWN), ...(lines.length > SHOWN ? [`  and ${lines.length - SHOWN} more rules`] : [])];
}

function lines(findings: readonly Finding[], items: number): string[] {
  const shown = findings.slice(0, SHOWN);
  const rest = items - placesIn(shown);
  const own = shown.map(({ shelf, id, rule, count }) => `  ${shelf} ${nameOf(id)}  ${rule}, ${count}`);
  return [...own, ...(rest > 0 ? [`  and ${counted(rest, "more", "more")}`] : [])];
}

/** An id of ours by its handle; anything else as it is, in one line. */
const nameOf = (id: string): string => (/^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(id) ? handleOf(id) : oneLine(id, 60));
