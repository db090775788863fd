/**
 * The plain build to compare with: FTS5 and sqlite-vec, one row and one vector per document.
 *
 * Its vectors are ours, of each document's beginning as far as the model reads it, so that only
 * their use differs. Equal texts are stored once, as in every build of its kind.
 */
import { embedTexts } from "../../src/embed/embed-texts.ts";
import { dequantise } from "../../src/embed/quantise.ts";
import { cutPassages } from "../../src/text/passages.ts";
import type { World } from "../../src/world.ts";
import { openSqliteVec } from "../speed/parties/sqlite-vec.ts";
import type { Document } from "./data.ts";

export interface PlainBuild {
  rank(question: string, limit: number): Promise<string[]>;
  close(): void;
}

const BATCH = 500;

/** Null when sqlite-vec is not installed. */
export async function plainBuild(documents: readonly Document[], world: World): Promise<PlainBuild | null> {
  const store = await openSqliteVec(":memory:");
  if (!store) return null;
  const distinct = [...new Map(documents.map((document) => [titled(document, document.text), document])).values()];
  const vectorsOf = async (texts: readonly string[]) =>
    (await embedTexts(texts, world.project, world)).map(({ vector }) => dequantise(vector));
  for (let first = 0; first < distinct.length; first += BATCH) {
    const part = distinct.slice(first, first + BATCH);
    const beginnings = part.map((document) => titled(document, cutPassages(document.text)[0]?.text ?? ""));
    const vectors = await vectorsOf(beginnings);
    store.addTexts(part.map((document, index) => ({ id: first + index, text: titled(document, document.text) })));
    store.addVectors(vectors.map((vector, index) => ({ id: first + index, vector })));
  }
  return {
    async rank(text, limit) {
      const [vector] = await vectorsOf([text]);
      return vector ? store.rank("hybrid", { text, vector }, limit).map((id) => distinct[id]!.id) : [];
    },
    close: () => store.close(),
  };
}

const titled = ({ title }: Document, text: string): string => (title === undefined ? text : `${title}\n${text}`);
