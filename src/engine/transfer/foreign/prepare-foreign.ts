/**
 * Makes drafts of foreign memories: cleaned, named, and with the source that says who wrote them.
 *
 * What a tool or its model wrote counts as extracted, and fades like what Stele extracts itself. Files count as files: a
 * person wanted them imported, but nobody knows who wrote them. If an agent runs the import, it vouches for nothing.
 */
import { isAbsolute } from "node:path";
import { mainLanguage } from "../../../logic/corpus/languages.ts";
import { derivedSubject } from "../../../logic/decisions/subject.ts";
import type { Draft } from "../../../logic/memory/plan-remember.ts";
import { shelfFor } from "../../../logic/memory/shelving.ts";
import type { Clean } from "../../../logic/redaction/clean-fields.ts";
import { contentHash } from "../../../logic/text/content-hash.ts";
import { oneLine } from "../../../logic/text/one-line.ts";
import { foreignId } from "../../../logic/transfer/foreign/foreign-id.ts";
import { type Storable, storable } from "../../../logic/transfer/foreign/storable.ts";
import type { Source } from "../../../model/memory/item.ts";
import type { ForeignMemory, ForeignTool, LeftOut } from "../../../model/transfer/foreign-memory.ts";
import type { World } from "../../../ports/world.ts";
import { sourceFor } from "../../memory/source.ts";
import { nameOf } from "./foreign-files.ts";

export interface PreparedForeign {
  key: string;
  id: string;
  shelf: "memory" | "proposal";
  draft: Draft;
  session: string | null;
  createdAt: number;
}

type PrepareWorld = Pick<World, "place" | "origin" | "clock">;

const SUBJECT_CHARACTERS = 200;
const WHAT_CHARACTERS = 100;

export function prepareForeign(
  memories: readonly ForeignMemory[],
  from: ForeignTool,
  clean: Clean,
  leftOut: LeftOut[],
  world: PrepareWorld,
): PreparedForeign[] {
  const prepared = new Map<string, PreparedForeign>();
  for (const memory of memories) {
    const fields = storable(memory, clean);
    const fault =
      "fault" in fields ? `its text ${fields.fault}` : isOver(memory, world) ? "it has expired there" : null;
    if ("fault" in fields || fault !== null) {
      const what = oneLine(memory.title ?? memory.key, WHAT_CHARACTERS, clean) ?? "a memory";
      leftOut.push({ what, reason: fault ?? "it cannot be stored" });
      continue;
    }
    const one = preparedOf(memory, fields, from, clean, world);
    const same = prepared.get(one.id);
    // Two memories may share a name, but they are two.
    const own =
      same && same.draft.hash !== one.draft.hash ? foreignId(from, distinct(memory, one), world.place.spaceId) : one.id;
    prepared.set(own, { ...one, id: own });
  }
  return [...prepared.values()];
}

const isOver = ({ expiresAt }: ForeignMemory, { clock }: PrepareWorld): boolean =>
  expiresAt !== undefined && expiresAt <= clock.now();

const distinct = ({ key, createdAt }: ForeignMemory, { draft }: PreparedForeign) => ({
  key: `${key} ${draft.hash}`,
  createdAt,
});

function preparedOf(
  memory: ForeignMemory,
  { session, files, ...fields }: Storable,
  from: ForeignTool,
  clean: Clean,
  world: PrepareWorld,
): PreparedForeign {
  const { type, confidence, priority, expiresAt } = memory;
  const own = files.map((file) => (isAbsolute(file) ? nameOf(file, world.place) : file));
  const context = { branch: null, commits: [], files: own, symbols: [], language: mainLanguage(own) };
  const draft: Draft = {
    ...{ ...fields, type, context, source: authorOf(from, world), hash: contentHash(fields.content) },
    ...(confidence !== undefined && { confidence: Math.min(1, Math.max(0, confidence)) }),
    ...(priority !== undefined && { priority }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(type === "decision" && decided(fields, clean)),
  };
  const createdAt = Math.min(memory.createdAt ?? Infinity, world.clock.now());
  const shelf = shelfFor(type) === "proposal" ? "proposal" : "memory";
  return { key: memory.key, id: foreignId(from, memory, world.place.spaceId), shelf, draft, session, createdAt };
}

/** A person ratifies it by its subject. */
function decided({ title, content, tags }: Pick<Storable, "title" | "content" | "tags">, clean: Clean): Partial<Draft> {
  const none = { rejected: [], evidence: [], supersedes: [], relates: [], validFrom: null, validUntil: null };
  return {
    title: title ?? oneLine(derivedSubject({ content, tags }), SUBJECT_CHARACTERS, clean),
    proposal: { rationale: null, ...none },
  };
}

const OF_FILES: readonly ForeignTool[] = ["markdown", "basic-memory"];

const authorOf = (from: ForeignTool, world: PrepareWorld): Source =>
  OF_FILES.includes(from) && sourceFor(world) === "user_explicit" ? "file-index" : "extraction";
