/** The marks around memory that Stele puts into a session, so that it is never captured as if somebody had said it. */
export const MEMORY_PREFIX = "STELE_MEMORY";
export const MEMORY_START = `${MEMORY_PREFIX}_START`;
export const MEMORY_END = `${MEMORY_PREFIX}_END`;

/** The lines before and after such a block. */
export const BLOCK_START = `<!-- ${MEMORY_START} -->`;
export const BLOCK_END = `<!-- ${MEMORY_END} -->`;
