/** How answers name an item, as a schema. */
import * as z from "zod";

export * from "./handles.ts";

/** The id for programs, the handle for people. */
export const identity = {
  id: z.string(),
  handle: z.string().describe("Short name; works wherever an id does."),
};
