/** Show changes and verify the journal. */
import * as z from "zod";
import { period, typedId } from "../../catalog/fields.ts";
import { defineOperation } from "../../catalog/operation.ts";
import { Relation } from "../../graph/edge.ts";
import { edgeName } from "../../graph/edges.ts";
import { StoreName } from "../../maintenance/backup.ts";
import { handleOf } from "../../memory/handles.ts";
import { identity } from "../../memory/item.ts";
import { oneLine } from "../../recall/show-hits.ts";
import { counted } from "../../text/short-text.ts";
import { shortText } from "../../text/text.ts";
import type { Zone } from "../../time/calendar.ts";
import { readPeriod } from "../../time/read-time.ts";
import { timeIn } from "../../time/shown.ts";
import { audit, CHAIN_PROBLEMS, TIMES } from "../audit.ts";
import { wordOf } from "../change.ts";
import { droppedThrough } from "../journal.ts";

const Note = z.enum(["erased", "not kept"]);
const Fields = z.record(z.string(), z.unknown());
type Fields = z.infer<typeof Fields>;

const Entry = z.object({
  call: z.string().nullable().describe("The run of a verb that made it; rollback takes this id."),
  store: StoreName,
  // A number edited by hand may not be an integer.
  number: z.number().describe("Its position in the journal of its store."),
  at: z.string(),
  verb: z.string(),
  host: z.string(),
  session: z.string(),
  by: z
    .object({ role: z.string(), name: z.string().nullable() })
    .nullable()
    .describe("In a shared project, the database role that made it, and the name in that person's settings."),
  space: z.string().nullable().describe("The project it was made from; rollback works only there."),
  kind: z.string(),
  shelf: z.string(),
  ...identity,
  before: Fields.nullable().describe("Previous fields (only those that changed); null if there was nothing."),
  beforeNote: Note.nullable().describe("Why the previous fields are not available."),
  after: Fields.nullable().describe("New fields, likewise."),
  afterNote: Note.nullable(),
});

type Entry = z.infer<typeof Entry>;

const Verification = z.object({
  ok: z.boolean(),
  checked: z.int(),
  count: z.int().describe("Number of problems; the list holds the first of each store."),
  problems: z.array(
    z.object({ store: StoreName, number: z.number(), problem: z.enum(CHAIN_PROBLEMS), message: z.string() }),
  ),
});

type Verification = z.infer<typeof Verification>;

export default defineOperation({
  name: "audit",
  group: "care",
  summary: "Show changes, newest first: who, how, when, before and after. Can verify the integrity of the journal.",
  effect: "read",
  repeatable: true,
  input: z.object({
    id: typedId.optional().describe("Only changes of this item, by its id or handle."),
    verb: shortText(100).optional().describe("Only changes made by this verb."),
    ...period("changes made"),
    limit: z.int().min(1).max(200).default(20).describe("Maximum number of results."),
    offset: z.int().min(0).max(10_000).default(0).describe("How many to skip; use `until` to go further back."),
    verify: z.boolean().default(false).describe("Also check every entry of both journals against its hash."),
  }),
  output: z.object({ entries: z.array(Entry), total: z.int(), verification: Verification.nullable() }),
  cli: {
    completes: { id: "item" },
    positional: ["id"],
    examples: ["stele audit", "stele audit 7fd436b5", "stele audit --verify --limit 1"],
  },
  run: async ({ id, verb, since, until, limit, offset, verify }, world) => {
    const { createdAfter: after, createdBefore: before } = await readPeriod({ since, until }, world);
    const query = {
      ...(verb === undefined ? {} : { verb }),
      ...(after === undefined ? {} : { after }),
      ...(before === undefined ? {} : { before }),
    };
    return audit({ id, query, limit, offset, verify }, world);
  },
  render: ({ entries, total, verification }, { zone }) =>
    [...renderEntries(entries, total, zone), ...(verification ? renderVerification(verification) : [])].join("\n"),
  isBad: ({ verification }) => verification?.ok === false,
});

/** Entries of one call are listed under one heading. */
function renderEntries(entries: readonly Entry[], total: number, zone: Zone): string[] {
  if (entries.length === 0) return [total === 0 ? "No matching changes." : `Nothing on this page; ${total} in total.`];
  const lines = entries.flatMap((entry, index) => {
    const head = headLine(entry, zone);
    const isSame = index > 0 && head === headLine(entries[index - 1]!, zone);
    return [...(isSame ? [] : [head]), ...renderEntry(entry, zone)];
  });
  return [...lines, `${entries.length} of ${total}`];
}

function headLine({ at, verb, host, session, by, call }: Entry, zone: Zone): string {
  const who = by === null ? "" : ` by ${oneLine(by.name === null ? by.role : `${by.role} (${by.name})`, 80)}`;
  const origin = oneLine(`${verb} via ${host}${who}${session ? `, session ${session}` : ""}`, 200);
  const callNote = call ? `  (call ${oneLine(handleOf(call))})` : "";
  return `${timeIn(at, zone)}  ${origin}${callNote}`;
}

function renderEntry(entry: Entry, zone: Zone): string[] {
  const { kind, store, number, before, beforeNote, after, afterNote } = entry;
  const what = `  ${wordOf(kind) ?? oneLine(kind, 40)} ${oneLine(objectOf(entry), 150)}, ${store} ${number}`;
  if (before && after)
    return [what, ...Object.keys(before).map((name) => differenceLine(name, { before, after }, zone))];
  const notes = [beforeNote && `; before: ${beforeNote}`, afterNote && `; after: ${afterNote}`];
  return [what + notes.filter((note) => note !== null).join(""), ...(isEdge(entry) ? [] : wholeLine(before ?? after))];
}

const isEdge = ({ kind }: Entry): boolean => kind.endsWith("_edge");

/** An edge is named by its ends, unless it was erased: its id is a hash. */
function objectOf(entry: Entry): string {
  const { kind, shelf, id, handle, before, after } = entry;
  if (kind === "drop_payloads") return `previous states up to entry ${droppedThrough(id)}`;
  if (!isEdge(entry)) return `${shelf} ${handle}`;
  const edge = EdgeFields.safeParse(after ?? before).data;
  return edge ? `edge ${edgeName(edge)}` : `edge ${handle}`;
}

const EdgeFields = z.object({ source: z.string(), target: z.string(), relation: Relation });

function differenceLine(name: string, { before, after }: { before: Fields; after: Fields }, zone: Zone): string {
  const told = (value: unknown): unknown =>
    name === "supersededBy" ? named(value) : TIMES.has(name) && value ? timeIn(String(value), zone) : value;
  const [from, to] = [before[name], after[name]].map((value) => shown(told(value)));
  return `    ${oneLine(name, 40)}: ${from} → ${to}`;
}

const named = (value: unknown): unknown => (typeof value === "string" ? handleOf(value) : value);

function wholeLine(fields: Fields | null): string[] {
  return fields ? [`    ${shown(fields["title"] ?? fields["content"], 120)}`] : [];
}

function shown(value: unknown, limit = 60): string {
  if (value === null || value === undefined || (Array.isArray(value) && value.length === 0)) return "none";
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return oneLine(value.join(", "), limit);
  return oneLine(typeof value === "string" ? value : JSON.stringify(value), limit);
}

function renderVerification({ ok, checked, count, problems }: Verification): string[] {
  if (ok) return [`Journal: ${counted(checked, "entry", "entries")} checked, all intact.`];
  const rest = count - problems.length;
  return [
    `Journal: ${counted(checked, "entry", "entries")} checked, ${counted(count, "problem")}.`,
    ...problems.map(({ store, message }) => `  ${store}: ${message}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}
