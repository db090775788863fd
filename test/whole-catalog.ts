/** Every verb, loaded: as a list, and by name with its types. */
import { catalog as lazy, type Operations } from "../src/catalog/catalog.ts";
import { loadAll } from "../src/catalog/operation.ts";

export const catalog = await loadAll(lazy);
export const operations = Object.fromEntries(catalog.map((op) => [op.name, op])) as unknown as Operations;
