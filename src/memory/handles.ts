/**
 * Handle: the short name of an item or a call, for people to read and type.
 *
 * Ids sort by time, so those of one day begin alike. Their last digits are random, so handles differ immediately.
 */
export const HANDLE_LENGTH = 8;

const OWN_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** A foreign id may end like others, or in a word, so its handle is the full id. */
export const handleOf = (id: string): string => (OWN_ID.test(id) ? id.slice(-HANDLE_LENGTH) : id);

export const identityOf = (id: string): { id: string; handle: string } => ({ id, handle: handleOf(id) });

export const withHandle = <Named extends { id: string }>(named: Named): Named & { handle: string } => ({
  ...named,
  handle: handleOf(named.id),
});
