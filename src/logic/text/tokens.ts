/** Tokens of a text, estimated without a tokenizer: never fewer than a real one counts. */
const BYTES_PER_TOKEN = 3;

export const estimateTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
