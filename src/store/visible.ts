/** What the details of an item say, where conditions ask for it, and who sees a memory. */
import { either, raw, sql } from "./sql.ts";

/** Postgres keeps both in columns of their own, because it refuses some of what JSON may hold. */
const ROUTED_BY = either(raw(`item.details ->> 'routedBy'`), raw("item.routed_by"));
const ROUTED_SPACE = either(raw(`item.details ->> 'space'`), raw("item.routed_space"));

/** Whether the project `visibleIn`, if given, sees a memory. */
export const isVisible = (visibleIn: string | null | undefined) =>
  visibleIn == null
    ? raw("true")
    : sql`(item.scope <> 'global' or item.type = 'preference' or ${ROUTED_BY} is distinct from 'type'
      or coalesce(${ROUTED_SPACE}, ${visibleIn}) = ${visibleIn})`;
