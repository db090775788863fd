/** The stores of other tools. How they are read is loaded on first use, which few commands come to. */
import type { ForeignStores } from "../../ports.ts";

export const createForeignStores = (places: ForeignStores["places"]): ForeignStores => ({
  places,
  tables: async (path, tables, limits) => (await import("./foreign-tables.ts")).readTables(path, tables, limits),
});
