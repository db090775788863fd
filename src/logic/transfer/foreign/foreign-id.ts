/** The id of a foreign memory: always the same, so that it is recognised when it is imported again. */
import type { ForeignMemory, ForeignTool } from "../../../model/transfer/foreign-memory.ts";
import { derivedId } from "../../text/derived-id.ts";

export const foreignId = (
  from: ForeignTool,
  { key, createdAt }: Pick<ForeignMemory, "key" | "createdAt">,
  space: string,
): string => derivedId([space, from, key], createdAt);
