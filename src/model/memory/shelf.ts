/** The schema of shelves, apart from them: a hook has no time to load schemas. */
import * as z from "zod";
import { SHELVES } from "./shelves.ts";

export * from "./shelves.ts";
export const Shelf = z.enum(SHELVES);
export type Shelf = z.infer<typeof Shelf>;
