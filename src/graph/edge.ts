/** The schemas of edges, apart from them: a hook has no time to load schemas. */
import * as z from "zod";
import { EDGE_SHELVES, EDGE_STATUSES, RELATIONS } from "./edges.ts";

export const EdgeShelf = z.enum(EDGE_SHELVES);
export type EdgeShelf = z.infer<typeof EdgeShelf>;
export const Relation = z.enum(RELATIONS);
export type Relation = z.infer<typeof Relation>;
export const EdgeStatus = z.enum(EDGE_STATUSES);
export type EdgeStatus = z.infer<typeof EdgeStatus>;
