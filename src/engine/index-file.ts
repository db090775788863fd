/** Indexing one file, a document or code: stored anew when its text has changed, left alone when it has not. */
import { Failure } from "../errors.ts";
import { contentHash } from "../logic/content-hash.ts";
import { summaryOf } from "../logic/summary.ts";
import type { Change } from "../model/change.ts";
import type { Item } from "../model/item.ts";
import { textFault } from "../model/text.ts";
import type { World } from "../ports.ts";
import { commit } from "./commit.ts";
import { passagesOf } from "./passages.ts";
import { redactor } from "./redact.ts";

export interface FileRequest {
  shelf: "document" | "code";
  path: string;
  /** What stands on top of every passage; the file's own title, or its path. */
  title: string | null;
  text: string;
}

const BIRTH_CONFIDENCE = 0.8;

/** Answers the id of the file. */
export async function indexFile({ shelf, path, title, text }: FileRequest, world: World): Promise<string> {
  const { clean } = redactor();
  const fault = text.trim() === "" ? null : textFault(text);
  if (fault) throw new Failure("invalid_input", `${path} ${fault}.`, "Leave it out; only text can be found again.");
  const content = clean(text);
  const hash = contentHash(content);
  const passages = await passagesOf(content, world);
  return commit(
    world.project,
    async (): Promise<{ changes: Change[]; answer: string }> => {
      const known = await world.project.fileAt(shelf, path);
      const now = world.clock.now();
      const said = { title: title === null ? null : clean(title), content, summary: summaryOf(content), hash };
      if (known?.hash === hash && known.title === said.title) return { changes: [], answer: known.id };
      if (known) {
        const set = { ...said, updatedAt: now };
        const { id, version: expectedVersion } = known;
        return {
          changes: [{ kind: "revise_item", shelf, id, expectedVersion, set, passages, embed: true }],
          answer: id,
        };
      }
      const item = fileItem({ ...said, path, type: shelf }, world);
      return { changes: [{ kind: "insert_item", shelf, item, passages, embed: true }], answer: item.id };
    },
    world,
  );
}

function fileItem(file: Pick<Item, "title" | "content" | "summary" | "hash" | "path" | "type">, world: World): Item {
  const now = world.clock.now();
  return {
    ...file,
    id: world.ids.next(),
    scope: "project",
    status: "active",
    tags: [],
    confidence: BIRTH_CONFIDENCE,
    priority: 5,
    pinned: false,
    source: "file-index",
    host: world.origin.host,
    session: world.origin.session,
    context: { branch: world.place.branch(), commits: [], files: [], symbols: [], language: null },
    label: null,
    version: 1,
    createdAt: now,
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
