/** Tokens, estimated without a tokenizer: a byte more never makes fewer, and texts have at most one for three bytes. */
const BYTES_PER_TOKEN = 3;

export const estimatedTokens = (...texts: readonly string[]): number =>
  Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / BYTES_PER_TOKEN);

/** The most bytes that so many tokens can have. */
export const bytesWithin = (tokens: number): number => tokens * BYTES_PER_TOKEN;
