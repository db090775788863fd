/** A catalog of verbs that are loaded already. */
import type { AnyOperation, Catalog } from "../src/catalog/operation.ts";

export const catalogOf = (operations: readonly AnyOperation[]): Catalog => ({
  aliases: {},
  names: operations.map(({ name }) => name),
  load: async (name) => operations.find((op) => op.name === name)!,
});
