/**
 * Keeping evidence: what was said, word for word, cut where the speakers change.
 *
 * Equal text is kept once. Secrets are taken out first; nothing else of what was said is ever
 * altered. Title, session and names become one line each.
 */
import { Failure } from "../../errors.ts";
import { contentHash } from "../../logic/text/content-hash.ts";
import { oneLine } from "../../logic/text/one-line.ts";
import { cutPassages } from "../../logic/text/passages.ts";
import { newItem } from "../../logic/memory/new-item.ts";
import { momentOf, turnOf } from "../../logic/text/turns.ts";
import type { Item } from "../../model/memory/item.ts";
import { type Passage, ROLES, type Turn } from "../../model/memory/shelf.ts";
import { textFault } from "../../model/text/text.ts";
import type { DraftWorld, World } from "../../ports/world.ts";
import { commit } from "../journal/commit.ts";
import { passagesOf, withTokens } from "../text/passages.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import { provenanceIn, contextOf } from "../memory/provenance.ts";
import { sourceFor } from "../memory/source.ts";

export interface EvidenceRequest {
  /** In their order; plain text is one turn that nobody in particular said. */
  turns: readonly (Partial<Turn> & { text: string })[];
  /** All of it as it was written; the turns one below the other when omitted. */
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

export async function keepEvidence(request: EvidenceRequest, world: DraftWorld): Promise<EvidenceKept> {
  const said = request.text ?? request.turns.map(({ text }) => text).join("\n");
  const fault = textFault(said);
  if (fault) throw new Failure("invalid_input", `The text ${fault}.`, "Keep it in parts, and only text.");
  refuseUnknownRoles(request.turns);
  const { clean, redactions } = redactor();
  const { clean: uncounted } = redactor();
  const content = clean(said);
  const title = oneLine(request.title ?? "", LINE_LIMIT_CHARACTERS, clean);
  const session = oneLine(request.session ?? "", LINE_LIMIT_CHARACTERS, clean) ?? world.origin.session;
  const turns = request.turns.map(({ text, speaker, ...rest }) => ({
    text: uncounted(text),
    turn: turnOf({ ...rest, speaker: oneLine(speaker ?? "", SPEAKER_LIMIT_CHARACTERS, clean) }),
  }));
  const hash = contentHash(content);
  // Where a secret began in one turn and ended in another, nobody can say any more who said what.
  const passages = cut(content, turns);
  const indexed = passages ? await withTokens(passages, world) : await passagesOf({ content }, world);
  const answer = await commit<Omit<EvidenceKept, "redactions">>(
    world.project,
    async () => {
      const known = await world.project.sameContent("evidence", "project", hash);
      if (known) return { changes: [], answer: { status: "duplicate", id: known.id } };
      const item = evidenceItem({ title, session, content, hash, saidAt: momentOf(request.at) }, world);
      return {
        changes: [{ kind: "insert_item", shelf: "evidence", item, passages: indexed, embed: true }],
        answer: { status: "stored", id: item.id },
      };
    },
    world,
  );
  return { ...answer, redactions: redactions() };
}

function refuseUnknownRoles(turns: EvidenceRequest["turns"]): void {
  const known: readonly unknown[] = [...ROLES, null, undefined];
  if (turns.every(({ role }) => known.includes(role))) return;
  throw new Failure("invalid_input", "Unknown role.", `Use one of ${ROLES.join(", ")}, or leave it out.`);
}

/** No passage reaches over the end of a turn. Null where the turns are not found again in what is kept. */
function cut(content: string, turns: readonly { text: string; turn: Turn | null }[]): Omit<Passage, "tokens">[] | null {
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
  { saidAt, ...said }: Pick<Item, "title" | "session" | "content" | "hash"> & { saidAt: number | null },
  world: Pick<World, "place" | "clock" | "ids" | "origin">,
): Item {
  const birth = provenanceIn(world);
  const own = { type: "evidence", source: sourceFor(world), createdAt: saidAt ?? birth.now };
  return newItem({ ...said, ...own, ...contextOf(world) }, birth);
}
