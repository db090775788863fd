/** The marks around memory that Stele puts into a session, so that it is never captured as if somebody had said it. */
export const MEMORY_START = "STELE_MEMORY_START";
export const MEMORY_END = "STELE_MEMORY_END";
