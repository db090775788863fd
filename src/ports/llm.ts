/** A language model somewhere else, which only the person's own settings can name. */
export interface Llm {
  /** Provider and model; null if none is set, and then nothing is ever sent. */
  readonly identity: string | null;
  /**
   * Rejects with a Failure that holds neither the key nor anything of the request. Whether the text fits the schema is
   * for the caller to check.
   */
  complete(request: LlmRequest, attempts: Attempts): Promise<LlmReply>;
}

/** Hears of every attempt to send a request, because each may be charged. */
export interface Attempts {
  /** Before each one; nothing is sent if this rejects. */
  begin(): Promise<void>;
  /** The last one is certainly not charged: nobody was reached, or it was refused. */
  costNothing(): void;
}

export interface LlmRequest {
  system: string;
  prompt: string;
  /** JSON schema of the reply. */
  schema: object;
  /** Of the reply. */
  maxTokens: number;
}

/** The tokens are those of the attempt that was answered. */
export interface LlmReply {
  text: string;
  inputTokens: number;
  outputTokens: number;
}
