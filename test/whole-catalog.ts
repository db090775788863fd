/** Every verb, loaded: as a list, and by name with its types. */
import { type Operations, catalog as lazy } from "../src/operations/catalog.ts";
import { loadAll } from "../src/operations/operation.ts";

export const catalog = await loadAll(lazy);
export const operations = Object.fromEntries(catalog.map((op) => [op.name, op])) as unknown as Operations;
