/** What makes vectors and wordpieces out of text. */
export interface Embedder {
  /** Names weights, graph and preparation of text. Vectors of different identities never mix. Known without loading. */
  readonly identity: string;
  readonly dimensions: number;
  /** "absent": can never embed (provider none, native runtime missing). */
  state(): "cold" | "loading" | "ready" | "absent";
  /** Starts loading; resolves when ready; rejects with Failure("unavailable") when it cannot be. Idempotent. */
  load(): Promise<void>;
  /** Unit vectors, in the order of the texts. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

export interface Tokenizer {
  /** Wordpiece ids of each text, without markers. */
  encode(texts: readonly string[]): Promise<Uint16Array[]>;
}
