/**
 * Keeps evidence: what was said, word for word, split where the speaker changes.
 *
 * Identical text is kept once. Secrets are removed first; the text is not altered otherwise.
 * Title, session and names become one line each.
 */
import { Failure } from "../../errors.ts";
import { contentHash } from "../../logic/text/content-hash.ts";
import { oneLine } from "../../logic/text/one-line.ts";
import { cutPassages } from "../../logic/text/passages.ts";
import { newItem } from "../../logic/memory/new-item.ts";
import { momentOf, turnOf } from "../../logic/text/turns.ts";
import type { Change } from "../../model/journal/change.ts";
import type { Item, Source } from "../../model/memory/item.ts";
import { type Passage, ROLES, type Turn } from "../../model/memory/shelves.ts";
import { textFault } from "../../model/text/text.ts";
import type { DraftWorld, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { passagesOf, withTokens } from "../text/passages.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import { provenanceIn, contextOf } from "../memory/provenance.ts";
import { sourceFor } from "../memory/source.ts";

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

export interface EvidenceKept {
  status: "stored" | "duplicate";
  id: string;
  redactions: Redaction[];
}

const LINE_LIMIT_CHARACTERS = 200;
const SPEAKER_LIMIT_CHARACTERS = 100;

/** Evidence ready to be written: redacted and split. */
export interface EvidenceDraft extends Pick<Item, "title" | "session" | "content" | "hash"> {
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
