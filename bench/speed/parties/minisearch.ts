/** MiniSearch, in memory, words only, with its own defaults. */
import { LIMIT, type OpenParty, peerPackage } from "../party.ts";

interface Index {
  add(document: object): void;
  addAll(documents: readonly object[]): void;
  search(query: string): object[];
}

type MiniSearch = { default: new (options: { fields: string[]; storeFields: string[] }) => Index };

export const openMiniSearch: OpenParty = async () => {
  const module = await peerPackage<MiniSearch>("minisearch");
  if (!module) return null;
  const index = new module.default({ fields: ["text"], storeFields: ["text"] });
  return {
    ways: ["keyword"],
    addTexts: async (entries) => index.addAll(entries.map(({ id, text }) => ({ id, text }))),
    addOne: async ({ id, text }) => index.add({ id, text }),
    ask: async (_way, { text }) => index.search(text).slice(0, LIMIT).length,
    async close() {},
  };
};
