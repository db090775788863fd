/** The memory in which one thread notes what it is doing and since when, and another looks. */

/** Many more than tests run at once. */
export const NOTES = 256;
export const DOING_BYTES = 1_536;
/** The length of the text, and the time, which must be aligned. */
const HEAD_BYTES = 16;
const NOTE_BYTES = HEAD_BYTES + DOING_BYTES;

export interface Note {
  /** Of the text, in bytes; 0 while nothing is noted. */
  length: Int32Array;
  since: Float64Array;
  doing: Uint8Array;
}

export const notesIn = (): SharedArrayBuffer => new SharedArrayBuffer(NOTES * NOTE_BYTES);

export function noteAt(memory: SharedArrayBuffer, index: number): Note {
  const at = index * NOTE_BYTES;
  return {
    length: new Int32Array(memory, at, 1),
    since: new Float64Array(memory, at + 8, 1),
    doing: new Uint8Array(memory, at + HEAD_BYTES, DOING_BYTES),
  };
}
