/** Turns text into vectors and wordpieces. */
export interface Embedder {
  /**
   * Identifies weights, graph and text preparation. Vectors of different identities never mix. Known before loading.
   */
  readonly identity: string;
  readonly dimensions: number;
  /** "absent": can never embed (provider none, native runtime missing). */
  state(): "cold" | "loading" | "ready" | "absent";
  /** Starts loading; resolves when ready; rejects with Failure("unavailable") when loading fails. Idempotent. */
  load(): Promise<void>;
  /** Unit vectors, in the order of the texts. */
  embed(texts: readonly string[]): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/**
 * Embeds elsewhere, beside the local embedder, and only if the person's own settings name it. Vectors of passages and
 * questions may be made in different ways but are comparable.
 */
export interface RemoteEmbedder extends Embedder {
  embedQuestion(text: string): Promise<Float32Array>;
}

export interface Tokenizer {
  /** Wordpiece ids of each text, without markers. */
  encode(texts: readonly string[]): Promise<Uint16Array[]>;
}
