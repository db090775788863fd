/**
 * Keeps evidence: what was said, word for word, split where the speaker changes.
 *
 * Identical text is kept once. Secrets are removed first; the text is not altered otherwise.
 * Title, session and names become one line each.
 */
import { Failure } from "../errors.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { contextOf, provenanceIn, sourceFor } from "../memory/authorship.ts";
import { newItem } from "../memory/item-changes.ts";
import type { Item, Source } from "../memory/item.ts";
import { passagesOf, withTokens } from "../memory/passages.ts";
import { resolveId, unknownIdFailure } from "../memory/resolve-id.ts";
import { type Passage, ROLES, type Turn } from "../memory/shelves.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import { turnIn, turnText } from "../sessions/turns.ts";
import { contentHash } from "../text/content-hash.ts";
import { cutPassages } from "../text/passages.ts";
import { oneLine } from "../text/short-text.ts";
import { textFault } from "../text/text.ts";
import { momentOf, turnOf, turnsIn } from "../text/turns.ts";
import type { DraftWorld, LookupWorld, World } from "../world.ts";

export interface EvidenceRequest {
  /** In order; plain text is one turn without a speaker. */
  turns: readonly (Partial<Turn> & { text: string })[];
  /** The complete text as written; the turns, one per line, when omitted. */
  text?: string | undefined;
  title?: string | undefined;
  session?: string | undefined;
  /** When it was said; now when omitted. */
  at?: number | undefined;
}

interface EvidenceKept {
  status: "stored" | "duplicate";
  id: string;
  redactions: Redaction[];
}

const LINE_LIMIT_CHARACTERS = 200;
const SPEAKER_LIMIT_CHARACTERS = 100;

/** Evidence ready to be written: redacted and split. */
interface EvidenceDraft extends Pick<Item, "title" | "session" | "content" | "hash"> {
  saidAt: number | null;
  passages: Passage[];
  /** Beside what every item has. */
  details?: Item["details"];
  /** Where it was said, if that is known; else the branch that is checked out. */
  branch?: string | null;
  /** The newest commit at the time; null if nobody knows, the present one if omitted. */
  commit?: string | null;
}

type Kept = Omit<EvidenceKept, "redactions">;

export async function keepEvidence(request: EvidenceRequest, world: DraftWorld): Promise<EvidenceKept> {
  const { draft, redactions } = await draftEvidence(request, world);
  const answer = await commit<Kept>(world.project, () => planEvidence(draft, world), world);
  return { ...answer, redactions };
}

export async function draftEvidence(
  request: EvidenceRequest,
  world: Pick<World, "tokenizer" | "log" | "origin">,
): Promise<{ draft: EvidenceDraft; redactions: Redaction[] }> {
  const text = request.text ?? request.turns.map((turn) => turn.text).join("\n");
  const fault = textFault(text);
  if (fault)
    throw new Failure("invalid_input", `The text ${fault}.`, "Log plain text, in smaller parts if it is long.");
  refuseUnknownRoles(request.turns);
  const { clean, redactions } = redactor();
  const { clean: uncounted } = redactor();
  const content = clean(text);
  const title = oneLine(request.title ?? "", LINE_LIMIT_CHARACTERS, clean);
  const session = oneLine(request.session ?? "", LINE_LIMIT_CHARACTERS, clean) ?? world.origin.session;
  const turns = request.turns.map(({ text: own, speaker, ...rest }) => ({
    text: uncounted(own),
    turn: turnOf({ ...rest, speaker: oneLine(speaker ?? "", SPEAKER_LIMIT_CHARACTERS, clean) }),
  }));
  // If a removed secret spanned two turns, their boundary is lost, and with it who said what.
  const split = splitByTurn(content, turns);
  const passages = split ? await withTokens(split, world) : await passagesOf({ content }, world);
  const draft = { title, session, content, hash: contentHash(content), saidAt: momentOf(request.at), passages };
  return { draft, redactions: redactions() };
}

export async function planEvidence(
  { passages, ...fields }: EvidenceDraft,
  world: Pick<World, "project" | "place" | "clock" | "ids" | "origin">,
  source: Source = sourceFor(world),
): Promise<{ changes: Change[]; answer: Kept }> {
  const known = await world.project.sameContent("evidence", "project", fields.hash);
  if (known) return { changes: [], answer: { status: "duplicate", id: known.id } };
  const item = evidenceItem({ ...fields, source }, world);
  return {
    changes: [{ kind: "insert_item", shelf: "evidence", item, passages, embed: true }],
    answer: { status: "stored", id: item.id },
  };
}

function refuseUnknownRoles(turns: EvidenceRequest["turns"]): void {
  const known: readonly unknown[] = [...ROLES, null, undefined];
  if (turns.every(({ role }) => known.includes(role))) return;
  throw new Failure("invalid_input", "Unknown role.", `Use one of ${ROLES.join(", ")}, or leave it out.`);
}

/** No passage spans two turns. Null if the turns are not found in the content. */
function splitByTurn(
  content: string,
  turns: readonly { text: string; turn: Turn | null }[],
): Omit<Passage, "tokens">[] | null {
  const passages: Omit<Passage, "tokens">[] = [];
  let [end, before] = [0, 0];
  for (const { text, turn } of turns) {
    const start = content.indexOf(text, end);
    if (start === -1) return null;
    before += linesIn(content.slice(end, start));
    for (const piece of cutPassages(text)) {
      const lines = { startLine: piece.startLine + before, endLine: piece.endLine + before };
      passages.push({ ordinal: passages.length, heading: null, text: piece.text, ...lines, ...(turn && { turn }) });
    }
    before += linesIn(text);
    end = start + text.length;
  }
  return passages;
}

const linesIn = (text: string) => text.split("\n").length - 1;

function evidenceItem(
  { saidAt, details, branch, commit, ...fields }: Omit<EvidenceDraft, "passages"> & Pick<Item, "source">,
  world: Pick<World, "place" | "clock" | "ids" | "origin">,
): Item {
  const provenance = provenanceIn(world);
  const own = { type: "evidence", createdAt: saidAt ?? provenance.now };
  const here = contextOf(world);
  const commits = commit === undefined ? here.context.commits : commit === null ? [] : [commit];
  const context = { ...here.context, branch: branch ?? here.context.branch, commits };
  return newItem({ ...fields, ...own, context, details: { ...here.details, ...details } }, provenance);
}

/** Logs evidence: a written conversation is kept with its turns, anything else as plain text. */
interface LogRequest {
  text: string;
  title?: string | undefined;
  session?: string | undefined;
  at?: number | undefined;
}

export function logEvidence({ text, ...rest }: LogRequest, world: DraftWorld): Promise<EvidenceKept> {
  return keepEvidence({ ...rest, text, turns: turnsIn(text) }, world);
}

/** Reads one piece of evidence in full, with its speakers. Counts as access, unless it is only looked at. */
export async function readEvidence(
  { id: typed, quiet = false }: { id: string; quiet?: boolean },
  world: LookupWorld & Pick<World, "afterwards" | "origin">,
): Promise<{ item: Item; passages: Passage[]; whole: string | null }> {
  const { project } = world;
  const id = await resolveId(typed, "evidence", world);
  const [found] = await project.whole("evidence", [id]);
  if (!found) throw await unknownIdFailure(typed, "evidence", world);
  if (!project.readOnly && !quiet) {
    const touches = [{ id, how: "get" as const, relevance: null }];
    const at = world.clock.now();
    world.afterwards.add("note what was read", () =>
      project.apply([{ kind: "touch_items", shelf: "evidence", touches, query: null, at }], world.origin, {
        impatient: true,
      }),
    );
  }
  return { ...found, whole: wholeTurn(found.item) };
}

/** With the parts that are not searched; null where no more was kept. */
export function wholeTurn(item: Item): string | null {
  const turn = turnIn(item);
  return turn && turnText(turn);
}
