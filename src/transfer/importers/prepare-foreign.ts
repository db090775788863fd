/**
 * Makes drafts of foreign memories: cleaned, named, and with the source that says who wrote them.
 *
 * What a tool or its model wrote counts as extracted, and fades like what Stele extracts itself. Files count as files: a
 * person wanted them imported, but nobody knows who wrote them. If an agent runs the import, it vouches for nothing.
 */
import { isAbsolute } from "node:path";
import { derivedSubject } from "../../decisions/subject.ts";
import { mainLanguage } from "../../files/languages.ts";
import { sourceFor } from "../../memory/authorship.ts";
import { shelfFor } from "../../memory/item-changes.ts";
import { CONTEXT_FIELDS, ITEM_FIELDS } from "../../memory/item-fields.ts";
import type { Item, Source } from "../../memory/item.ts";
import type { Draft } from "../../memory/remember-rules.ts";
import type { Clean } from "../../redaction/redact.ts";
import { contentHash, derivedId } from "../../text/content-hash.ts";
import { cut, oneLine, summaryOf } from "../../text/short-text.ts";
import { textFault } from "../../text/text.ts";
import type { World } from "../../world.ts";
import { nameOf } from "./foreign-files.ts";
import type { ForeignMemory, ForeignTool, LeftOut } from "./foreign-memory.ts";

/** The id of a foreign memory: always the same, so that it is recognised when it is imported again. */
export const foreignId = (
  from: ForeignTool,
  { key, createdAt }: Pick<ForeignMemory, "key" | "createdAt">,
  space: string,
): string => derivedId([space, from, key], createdAt);

/**
 * A foreign memory as it can be stored: limits of every field, no control characters, no secrets.
 *
 * Other tools accept anything, so what does not fit is cut or dropped rather than refused; only a text that cannot be
 * stored at all is.
 */
const TITLE_CHARACTERS = 200;
const FILES_MOST = 50;
const SUMMARISED_CHARACTERS = 1_000;
const BACKGROUND = ITEM_FIELDS.background.maximum;
/** All but tab and line feed. */
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

interface Storable extends Pick<Item, "title" | "content" | "background"> {
  summary: string;
  tags: string[];
  files: string[];
  session: string | null;
}

/** Or why it cannot be stored. */
export function storable(memory: ForeignMemory, clean: Clean): Storable | { fault: string } {
  const content = clean(plain(memory.content));
  const fault = textFault(content);
  if (fault !== null) return { fault };
  const background = memory.background === null ? "" : cut(clean(plain(memory.background)), BACKGROUND).trim();
  const lineOf = (maximum: number) => (text: string) => oneLine(text, maximum, clean) ?? [];
  return {
    title: memory.title === null ? null : oneLine(memory.title, TITLE_CHARACTERS, clean),
    content,
    summary: summaryOf(inOneLine(content)),
    background: background === "" || textFault(background) !== null ? null : background,
    tags: [...new Set(memory.tags.flatMap(lineOf(ITEM_FIELDS.tags.maximum)))].slice(0, ITEM_FIELDS.tags.most),
    files: [...new Set(memory.files.flatMap(lineOf(CONTEXT_FIELDS.files.maximum)))].slice(0, FILES_MOST),
    session: memory.session === undefined ? null : oneLine(memory.session, TITLE_CHARACTERS, clean),
  };
}

const IS_LIST = /^(?:[-*+] |\d{1,3}[.)] |`{3}|~{3}|\|)/;

/** The first line of a list or of code tells too little, and neither does one that only introduces them. */
function inOneLine(content: string): string {
  const [first = ""] = content.split("\n", 1);
  if (!IS_LIST.test(first) && !first.endsWith(":")) return content;
  const lines = content.slice(0, SUMMARISED_CHARACTERS).split("\n");
  return lines
    .filter((line) => !/^\s*(?:`{3}|~{3})|^[\s|:-]*$/.test(line))
    .map((line) =>
      line
        .trim()
        .replace(IS_LIST, "")
        .replace(/\s*[|.]$/, "")
        .trim(),
    )
    .join(", ")
    .replaceAll(":, ", ": ");
}

const plain = (text: string): string => text.replace(/\r\n?/g, "\n").toWellFormed().replace(CONTROLS, "").trim();

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
    ...fields,
    type,
    context,
    source: authorOf(from, world),
    hash: contentHash(fields.content),
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
