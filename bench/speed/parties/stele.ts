/** Stele as a party: the public library, with the hashing embedder. */
import { join } from "node:path";
import { open } from "../../../src/index.ts";
import type { OpenParty } from "../party.ts";

const MODES = { keyword: "keyword", vector: "semantic", hybrid: "hybrid" } as const;

export const openStele: OpenParty = async (folder) => {
  const stele = await open({
    home: join(folder, "home"),
    project: folder,
    settings: { embedder: { provider: "hash" } },
  });
  const embedAll = async () => {
    await stele.backfill({});
  };
  return {
    ways: ["keyword", "vector", "hybrid"],
    async addTexts(entries) {
      await Promise.all(entries.map(({ text: content }) => stele.remember({ content })));
    },
    addVectors: embedAll,
    settle: embedAll,
    async addOne({ text: content }) {
      await stele.remember({ content });
    },
    // A question's vector is cached, so asking once beforehand excludes the embedding from the measurement.
    async prepare(questions) {
      for (const { text: query } of questions) await stele.recall({ query, mode: "semantic", limit: 1 });
    },
    async ask(way, { text: query }) {
      return (await stele.recall({ query, mode: MODES[way] })).hits.length;
    },
    close: () => stele.close(),
  };
};
