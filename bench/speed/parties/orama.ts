/** Orama, in memory, with its own defaults except the minimum similarity. */
import { DIMENSIONS, LIMIT, type Entry, type OpenParty, peerPackage } from "../party.ts";

interface Orama {
  create(options: { schema: Record<string, string> }): object;
  insert(index: object, document: object): Promise<string> | string;
  insertMultiple(index: object, documents: object[], batch: number): Promise<string[]> | string[];
  search(index: object, query: object): Promise<{ hits: object[] }> | { hits: object[] };
}

/** Its default, 0.8, finds nothing here, and 0 makes it sort everything. This value finds ten without sorting all. */
const SIMILARITY = 0.3;

const MODES = { keyword: "fulltext", vector: "vector", hybrid: "hybrid" } as const;

export const openOrama: OpenParty = async () => {
  const orama = await peerPackage<Orama>("@orama/orama");
  if (!orama) return null;
  const index = orama.create({ schema: { text: "string", vector: `vector[${DIMENSIONS}]` } });
  const document = ({ id, text, vector }: Entry) => ({ id: String(id), text, vector: Array.from(vector) });
  return {
    ways: ["keyword", "vector", "hybrid"],
    async addVectors(entries) {
      await orama.insertMultiple(index, entries.map(document), entries.length);
    },
    async addOne(entry) {
      await orama.insert(index, document(entry));
    },
    async ask(way, { text: term, vector }) {
      const nearest = { vector: { value: vector, property: "vector" }, similarity: SIMILARITY };
      const asked = {
        mode: MODES[way],
        limit: LIMIT,
        ...(way !== "vector" && { term }),
        ...(way !== "keyword" && nearest),
      };
      return (await orama.search(index, asked)).hits.length;
    },
    async close() {},
  };
};
