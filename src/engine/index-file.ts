/** Indexing one file, a document or code: stored anew when its text has changed, left alone when it has not. */
import { Failure } from "../errors.ts";
import { contentHash } from "../logic/content-hash.ts";
import { oneLine } from "../logic/one-line.ts";
import { BIRTH_CONFIDENCE } from "../logic/document-confidence.ts";
import { newItem } from "../logic/new-item.ts";
import { summaryOf } from "../logic/summary.ts";
import type { Change } from "../model/change.ts";
import type { Item } from "../model/item.ts";
import { textFault } from "../model/text.ts";
import type { World } from "../ports.ts";
import { birthIn, surroundingsOf } from "./birth.ts";
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

const TITLE_LIMIT_CHARACTERS = 200;
const PATH_LIMIT_CHARACTERS = 1_000;
const NOT_IN_PATHS = /[\p{Cc}\p{Cs}\u2028\u2029]/u;

/** Answers the id of the file. */
export async function indexFile({ shelf, text, ...given }: FileRequest, world: World): Promise<string> {
  const { clean } = redactor();
  refuseOddPath(given.path);
  // Two files whose names differ only in a secret become one: the name that is kept cannot tell them apart.
  const path = clean(given.path);
  const title = given.title === null ? null : oneLine(given.title, TITLE_LIMIT_CHARACTERS, clean);
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
      const said = { title, content, summary: summaryOf(content), hash };
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

function refuseOddPath(path: string): void {
  const fault =
    path.trim() === ""
      ? "is empty"
      : path.length > PATH_LIMIT_CHARACTERS
        ? `is longer than ${PATH_LIMIT_CHARACTERS} characters`
        : NOT_IN_PATHS.test(path)
          ? "has characters that no path should have"
          : null;
  if (fault) throw new Failure("invalid_input", `A path ${fault}.`, "Leave the file out, or rename it.");
}

function fileItem(file: Pick<Item, "title" | "content" | "summary" | "hash" | "path" | "type">, world: World): Item {
  const own = { source: "file-index" as const, confidence: BIRTH_CONFIDENCE };
  return newItem({ ...file, ...own, ...surroundingsOf(world) }, birthIn(world));
}
