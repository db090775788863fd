/**
 * Keeping evidence: what was said, word for word, cut where the speakers change.
 *
 * Equal text is kept once. Secrets are taken out first; nothing else is ever altered.
 */
import { Failure } from "../errors.ts";
import { contentHash } from "../logic/content-hash.ts";
import { cutPassages } from "../logic/passages.ts";
import { summaryOf } from "../logic/summary.ts";
import { momentOf, turnOf } from "../logic/turns.ts";
import type { Item } from "../model/item.ts";
import type { Passage, Turn } from "../model/shelf.ts";
import { textFault } from "../model/text.ts";
import type { World } from "../ports.ts";
import { commit } from "./commit.ts";
import { passagesOf, withTokens } from "./passages.ts";
import { type Redaction, redactor } from "./redact.ts";
import { sourceFor } from "./source.ts";

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

export async function keepEvidence(request: EvidenceRequest, world: World): Promise<EvidenceKept> {
  const said = request.text ?? request.turns.map(({ text }) => text).join("\n");
  const fault = textFault(said);
  if (fault) throw new Failure("invalid_input", `What was said ${fault}.`, "Keep it in parts, and only what is text.");
  const { clean, redactions } = redactor();
  const { clean: uncounted } = redactor();
  const [content, title] = [clean(said), clean(request.title ?? "")];
  const turns = request.turns.map(({ text, speaker, ...rest }) => ({
    text: uncounted(text),
    turn: turnOf({ ...rest, speaker: speaker ? clean(speaker) : null }),
  }));
  const hash = contentHash(content);
  // Where a secret began in one turn and ended in another, nobody can say any more who said what.
  const passages = cut(content, turns);
  const indexed = passages ? await withTokens(passages, world) : await passagesOf(content, world);
  const answer = await commit<Omit<EvidenceKept, "redactions">>(
    world.project,
    async () => {
      const known = await world.project.sameContent("evidence", "project", hash);
      if (known) return { changes: [], answer: { status: "duplicate", id: known.id } };
      const item = evidenceItem({ ...request, title }, { content, hash }, world);
      return {
        changes: [{ kind: "insert_item", shelf: "evidence", item, passages: indexed, embed: true }],
        answer: { status: "stored", id: item.id },
      };
    },
    world,
  );
  return { ...answer, redactions: redactions() };
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
  request: EvidenceRequest,
  { content, hash }: { content: string; hash: string },
  world: World,
): Item {
  const now = world.clock.now();
  return {
    id: world.ids.next(),
    type: "evidence",
    scope: "project",
    status: "active",
    title: request.title || null,
    content,
    summary: summaryOf(content),
    tags: [],
    confidence: 1,
    priority: 5,
    pinned: false,
    source: sourceFor(world),
    host: world.origin.host,
    session: request.session ?? world.origin.session,
    context: { branch: world.place.branch(), commits: [], files: [], symbols: [], language: null },
    label: null,
    path: null,
    hash,
    version: 1,
    createdAt: momentOf(request.at) ?? now,
    updatedAt: now,
    accessedAt: now,
    accessCount: 0,
    expiresAt: null,
    validFrom: null,
    validUntil: null,
    supersededBy: null,
    details: { space: world.place.spaceId },
  };
}
